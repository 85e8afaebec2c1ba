import type { Attempt } from '../../lib/attempt.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Contents, Kind } from '../resources/content.js';

/** What the files say about an object, before it is known what the service has. */
export interface Draft<K extends Kind> {
  /**
   * Completes the declared values with those that are left to the service.
   * @param before what the service has; undefined for a new object
   * @throws {CliError} if the object cannot become what is declared
   */
  complete(before: Contents[K] | undefined, ids: ApplicationIds): Contents[K];
  /** The ID or name of the application that the object refers to. */
  application?: string | undefined;
  /** The code was minified. */
  minified?: boolean | undefined;
}

/** An object that the files declare. */
export interface Declared<K extends Kind = Kind> {
  kind: K;
  name: string;
  /** The name that the object may still have on the service. */
  previousName?: string | undefined;
  /** The code, relative to the working directory, with forward slashes. */
  file?: string | undefined;
  /** The manifest declares it. Only such an object is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
  /** Run after a change. */
  smoke?: readonly SmokeCase[] | undefined;
  /** What the report says about the object. */
  note?: string | undefined;
  /** Configuration values that contain references, as they are written in the manifest. */
  references?: Readonly<Record<string, string>> | undefined;
  /** Failed if the files are not valid. */
  outcome: Attempt<Draft<K>>;
}
