import type { Config } from '../declaration/read-config.js';
import type { LockedObject } from './lock-content.js';
import type { LockFile } from './lock-file.js';

const isForgotten = ({ name }: LockedObject, { project }: Config): boolean =>
  project.manifest?.content.forget?.includes(name) ?? false;

/** Lists what earlier applies of the manifest created and the manifest no longer declares. */
export function listUndeclared(config: Config, lock: LockFile | undefined): LockedObject[] {
  const { declared, managed } = config;
  const names = new Set(
    declared.flatMap(({ kind, name, previousName }) => [`${kind} ${name}`, `${kind} ${previousName}`]),
  );
  return (lock?.objects ?? []).filter(
    (object) =>
      object.created &&
      object.id !== '' &&
      managed.includes(object.kind) &&
      !names.has(`${object.kind} ${object.name}`) &&
      !isForgotten(object, config),
  );
}

/** Lists the IDs of recorded objects that the manifest lists under `forget`. */
export function listForgotten(config: Config, lock: LockFile | undefined): string[] {
  return (lock?.objects ?? []).filter((object) => isForgotten(object, config)).map(({ id }) => id);
}
