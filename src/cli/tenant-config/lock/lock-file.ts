import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../../contract/files.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';
import { describeTenant } from '../tenant-identity.js';
import {
  formatLockFile,
  type LockedObject,
  type LockedService,
  type LockedVersion,
  readLockFile,
  writeLockFile,
} from './lock-content.js';

export interface ServiceIdentity {
  /** Base URL, or the name of a profile or `emulator` on this machine, where addresses change. */
  name: string;
  tenantId: string;
  tenantName?: string | undefined;
  /** Its tenants come and go with the data of an emulator. */
  isOnThisMachine: boolean;
}

const MAX_VERSIONS = 10;

export interface LockOwner {
  path: string;
  environment?: string | undefined;
}

/** Returns the path next to the manifest; one for each environment, so that two pipelines never change the same file. */
export function lockFilePath({ path, environment }: LockOwner): string {
  // An environment can have any name; two names that become the same file share its records.
  const part = environment === undefined ? '' : `.${environment.replaceAll(/[^\w-]/g, '-')}`;
  return join(dirname(path), `tokenctl${part}.lock.json`);
}

/** An object that is about to be created, and has no ID yet. */
type Intent = Pick<LockedObject, 'kind' | 'name'>;

/** The records of one tenant, until `save` writes them. What must outlive a kill is saved before it is done. One process at a time. */
export class LockFile {
  private constructor(
    readonly path: string,
    readonly service: ServiceIdentity,
    private readonly others: readonly LockedService[],
    private recorded: readonly LockedObject[],
    private written: string,
  ) {}

  /** Opens a lock file; a missing one is empty. @param replaces whether the records of this tenant may be dropped */
  static async open(
    owner: LockOwner,
    service: ServiceIdentity,
    replaces: (tenantId: string, path: string) => Promise<boolean>,
  ): Promise<LockFile> {
    const path = lockFilePath(owner);
    const services = await readLockFile(path);
    const ofService = services.filter((one) => one.service === service.name);
    const ours = ofService.filter(({ tenant_id }) => tenant_id === service.tenantId);
    const replaced = ours.length > 0 ? [] : ofService;
    for (const { tenant_id: id, tenant_name } of replaced) {
      if (await replaces(id, path)) continue;
      throw usageError(
        `${path} records the ${describeTenant({ id, name: tenant_name })} of ${service.name}, but the key belongs to the ${describeTenant({ id: service.tenantId, name: service.tenantName })}.`,
        'Use a key of that tenant. If the manifest is for this tenant from now on: tokenctl apply --retarget, which drops the records of the other one.',
      );
    }
    const others = services.filter((one) => !ours.includes(one) && !replaced.includes(one));
    const recorded = ours.flatMap(({ objects }) => objects);
    // A key that may not read the tenant does not know its name.
    const tenantName = service.tenantName ?? ours[0]?.tenant_name;
    return new LockFile(path, { ...service, tenantName }, others, recorded, formatLockFile(services));
  }

  get objects(): readonly LockedObject[] {
    return this.recorded;
  }

  /** What an interrupted apply was about to create. */
  get intents(): readonly LockedObject[] {
    return this.recorded.filter(({ id }) => id === '');
  }

  intend({ kind, name }: Intent): void {
    this.withdraw({ kind, name });
    this.recorded = [...this.recorded, { kind, name, id: '', created: true }];
  }

  withdraw({ kind, name }: Intent): void {
    this.recorded = this.recorded.filter((one) => one.id !== '' || one.kind !== kind || one.name !== name);
  }

  find(id: string): LockedObject | undefined {
    return this.recorded.find((object) => object.id === id);
  }

  /** Records that an object was created, or renamed. An object that existed before is recorded as not created. */
  add(object: Pick<LockedObject, 'kind' | 'name' | 'id' | 'created'>): void {
    const known = this.find(object.id);
    this.withdraw(object);
    this.remove([object.id]);
    const created = known?.created || object.created;
    this.recorded = [...this.recorded, { ...known, ...object, created }];
  }

  async addVersion(id: string, code: string, version: Omit<LockedVersion, 'number'>): Promise<void> {
    await storeCode(this.path, version.hash, code);
    this.recorded = this.recorded.map((object) => {
      if (object.id !== id) return object;
      const versions = object.versions ?? [];
      const number = (versions.at(-1)?.number ?? 0) + 1;
      return { ...object, versions: [...versions, { number, ...version }].slice(-MAX_VERSIONS) };
    });
  }

  remove(ids: readonly string[]): void {
    this.recorded = this.recorded.filter(({ id }) => !ids.includes(id));
  }

  /** Writes the records if they have changed. @throws {CliError} if the file cannot be written */
  async save(): Promise<void> {
    const { name: service, tenantId: tenant_id, tenantName: tenant_name } = this.service;
    const ours = { service, tenant_id, tenant_name, objects: [...this.recorded] };
    const services = ours.objects.length > 0 ? [...this.others, ours] : this.others;
    const text = formatLockFile(services);
    if (text === this.written) return;
    await writeLockFile(this.path, text);
    this.written = text;
    const objects = services.flatMap((one) => one.objects);
    const hashes = objects.flatMap(({ versions = [] }) => versions.map(({ hash }) => hash));
    await removeUnusedCode(this.path, new Set(hashes));
  }
}

const HASH_CHARACTERS = 16;

/** `tokenctl.production.versions` for `tokenctl.production.lock.json`. */
const directoryOf = (lockPath: string): string => lockPath.replace(/\.lock\.json$/, '.versions');
const fileName = (hash: string): string => `${hash.slice(0, HASH_CHARACTERS)}.js`;

/** Keeps the code of a version next to the lock file. @throws {CliError} if it cannot be written */
async function storeCode(lockPath: string, hash: string, code: string): Promise<void> {
  const directory = directoryOf(lockPath);
  try {
    makeDirectories(directory);
    await writeFileAtomically(join(directory, fileName(hash)), code, { mode: 0o666 });
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `The code of the version cannot be kept in ${directory} (${reason}).`);
  }
}

export function readCode(lockPath: string, hash: string): Promise<string> {
  const path = join(directoryOf(lockPath), fileName(hash));
  return readTextFile(path, `The code of the version, ${path},`);
}

async function removeUnusedCode(lockPath: string, hashes: ReadonlySet<string>): Promise<void> {
  const directory = directoryOf(lockPath);
  const used = new Set([...hashes].map(fileName));
  for (const name of await readdir(directory).catch(() => []))
    if (/^[\da-f]{16}\.js$/.test(name) && !used.has(name)) await rm(join(directory, name), { force: true });
}
