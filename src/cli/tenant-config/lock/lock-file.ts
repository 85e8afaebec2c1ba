import { dirname, join } from 'node:path';
import { usageError } from '../../lib/errors.js';
import type { Kind } from '../resources/content.js';
import { describeTenant } from '../tenant-identity.js';
import {
  type LockedObject,
  type LockedService,
  type LockedVersion,
  readLockFile,
  writeLockFile,
} from './lock-content.js';
import { removeUnusedCode, storeCode } from './version-code.js';

/** The service and tenant that a lock file records objects of. */
export interface ServiceIdentity {
  /** Base URL, or the name of a profile or `emulator` on this machine, where addresses change. */
  name: string;
  tenantId: string;
  tenantName?: string | undefined;
  /** Its tenants come and go with the data of an emulator. */
  isOnThisMachine: boolean;
}

/** Versions of a reactor that are kept. */
const MAX_VERSIONS = 10;

/** The manifest and the environment that a lock file belongs to. */
export interface LockOwner {
  /** Absolute path of the manifest. */
  path: string;
  environment?: string | undefined;
}

/**
 * Returns the path of the lock file next to the manifest, so that every checkout has it: `tokenctl.lock.json`, or
 * `tokenctl.production.lock.json` for an environment, so that pipelines of two environments never change the same file.
 */
export function lockFilePath({ path, environment }: LockOwner): string {
  // An environment can have any name; two names that become the same file share its records.
  const part = environment === undefined ? '' : `.${environment.replaceAll(/[^\w-]/g, '-')}`;
  return join(dirname(path), `tokenctl${part}.lock.json`);
}

const toKey = ({ kind, name }: { kind: Kind; name: string }): string => `${kind} ${name}`;

const withoutIntent = (
  objects: readonly LockedObject[],
  intent: { kind: Kind; name: string },
): LockedObject[] => objects.filter((one) => one.id !== '' || toKey(one) !== toKey(intent));

/** Lists the hashes of the versions of all objects. */
const listHashes = (services: readonly LockedService[]): string[] =>
  services.flatMap(({ objects }) => objects.flatMap(({ versions = [] }) => versions.map(({ hash }) => hash)));

type Update = (objects: readonly LockedObject[]) => LockedObject[];

/**
 * The records of one tenant in a lock file. Changes are kept until `save` writes them together, so that an apply of many objects
 * does not write the whole file for each of them. What must not be lost when the process is killed is saved before it is done.
 */
export class LockFile {
  #saving: Promise<void> = Promise.resolve();
  /** What has changed since the last write. */
  #changes: Update[] = [];
  #hasIntents = false;
  /** Hashes of code that is being stored, and not recorded yet. */
  readonly #storing = new Set<string>();

  private constructor(
    readonly path: string,
    readonly service: ServiceIdentity,
    private services: LockedService[],
    /** IDs of tenants whose records the next change removes. */
    private readonly replaced: ReadonlySet<string>,
  ) {}

  /**
   * Opens the lock file of a manifest; a missing file is empty.
   * @param replaces whether the records of this tenant may give way to those of the target
   * @throws {CliError} if it is not a valid lock file, or records another tenant of the service that stays
   */
  static async open(
    owner: LockOwner,
    service: ServiceIdentity,
    replaces: (tenantId: string, path: string) => Promise<boolean>,
  ): Promise<LockFile> {
    const path = lockFilePath(owner);
    const services = await readLockFile(path);
    const ofService = services.filter((one) => one.service === service.name);
    const isKnown = ofService.some(({ tenant_id }) => tenant_id === service.tenantId);
    const others = isKnown ? [] : ofService;
    for (const { tenant_id: id, tenant_name } of others) {
      if (await replaces(id, path)) continue;
      throw usageError(
        `${path} records the ${describeTenant({ id, name: tenant_name })} of ${service.name}, but the key belongs to the ${describeTenant({ id: service.tenantId, name: service.tenantName })}.`,
        'Use a key of that tenant. If the manifest is for this tenant from now on: tokenctl apply --retarget, which drops the records of the other one.',
      );
    }
    return new LockFile(path, service, services, new Set(others.map(({ tenant_id }) => tenant_id)));
  }

  #isOurs({ service, tenant_id }: LockedService): boolean {
    return service === this.service.name && tenant_id === this.service.tenantId;
  }

  /** What became of the intents that an interrupted apply has left: the ID of the object, or undefined for none. */
  readonly #resolved = new Map<string, string | undefined>();

  get #recorded(): LockedObject[] {
    return this.services.filter((service) => this.#isOurs(service)).flatMap(({ objects }) => objects);
  }

  /** The recorded objects of this tenant. */
  get objects(): readonly LockedObject[] {
    return this.#recorded.flatMap((object) => {
      const key = toKey(object);
      if (object.id !== '' || !this.#resolved.has(key)) return [object];
      const id = this.#resolved.get(key);
      return id === undefined ? [] : [{ ...object, id }];
    });
  }

  /** What an interrupted apply was about to create. */
  get intents(): readonly LockedObject[] {
    return this.#recorded.filter(({ id }) => id === '');
  }

  /** Looks up what an interrupted apply was about to create. The result is written with the next change. */
  async resolveIntents(find: (intent: LockedObject) => Promise<string | undefined>): Promise<void> {
    for (const intent of this.intents) this.#resolved.set(toKey(intent), await find(intent));
  }

  /** Writes what `resolveIntents` found. */
  async saveResolved(): Promise<void> {
    if (this.#resolved.size > 0) this.#change((objects) => [...objects]);
    await this.save();
  }

  /** Records that an object is about to be created. Call `saveIntents` before it is. */
  intend({ kind, name }: { kind: Kind; name: string }): void {
    this.#resolved.delete(toKey({ kind, name }));
    this.#hasIntents = true;
    this.#change((objects) => [
      ...withoutIntent(objects, { kind, name }),
      { kind, name, id: '', created: true },
    ]);
  }

  /** Writes the intents if they are not in the file yet, so that they are known even if the apply ends at once. */
  saveIntents(): Promise<void> {
    return this.#hasIntents ? this.save() : this.#saving;
  }

  /** Removes the record of an object that was not created after all. */
  withdraw(intent: { kind: Kind; name: string }): void {
    this.#change((objects) => withoutIntent(objects, intent));
  }

  /** Finds the record of an object by its ID. */
  find(id: string): LockedObject | undefined {
    return this.objects.find((object) => object.id === id);
  }

  /** Records that an object was created, or renamed. An object that existed before is recorded as not created. */
  add(object: { kind: Kind; name: string; id: string; created: boolean }): void {
    this.#change((objects) => {
      const known = objects.find(({ id }) => id === object.id);
      const others = withoutIntent(objects, object).filter(({ id }) => id !== object.id);
      return [...others, { ...known, ...object, created: known?.created || object.created }];
    });
  }

  /** Records a version of a recorded reactor and keeps its code. */
  async addVersion(id: string, code: string, version: Omit<LockedVersion, 'number'>): Promise<void> {
    this.#storing.add(version.hash);
    await storeCode(this.path, version.hash, code);
    this.#change((objects) =>
      objects.map((object) => {
        if (object.id !== id) return object;
        const versions = object.versions ?? [];
        const number = (versions.at(-1)?.number ?? 0) + 1;
        return { ...object, versions: [...versions, { number, ...version }].slice(-MAX_VERSIONS) };
      }),
    );
    this.#storing.delete(version.hash);
  }

  /** Removes objects from the record by ID. */
  remove(ids: readonly string[]): void {
    if (ids.length > 0) this.#change((objects) => objects.filter(({ id }) => !ids.includes(id)));
  }

  #change(update: Update): void {
    this.#changes.push(update);
    this.#replaceObjects(update(this.objects));
  }

  #replaceObjects(objects: LockedObject[]): void {
    const { name, tenantId, tenantName } = this.service;
    const others = this.services.filter(
      (service) =>
        !this.#isOurs(service) && !(service.service === name && this.replaced.has(service.tenant_id)),
    );
    const ours = { service: name, tenant_id: tenantId, tenant_name: tenantName, objects };
    this.services = objects.length > 0 ? [...others, ours] : others;
  }

  /** Writes what has changed, if anything has. Callers at the same time share one write. */
  save(): Promise<void> {
    this.#hasIntents = false;
    this.#saving = this.#saving.then(() => this.#write());
    return this.#saving;
  }

  /** Changes the current content of the file, which may have records of other services from elsewhere. */
  async #write(): Promise<void> {
    if (this.#changes.length === 0) return;
    const current = await readLockFile(this.path);
    const changes = this.#changes;
    this.#changes = [];
    this.services = current;
    for (const update of changes) this.#replaceObjects(update(this.objects));
    const written = this.services;
    await writeLockFile(this.path, written);
    await removeUnusedCode(
      this.path,
      new Set([...listHashes(written), ...listHashes(this.services), ...this.#storing]),
    );
  }
}
