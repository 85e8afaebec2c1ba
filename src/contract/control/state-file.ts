// zod/mini: commands read the state file to find their emulator. Goal S2: the full package would add 10 ms to each of them.
import * as z from 'zod/mini';

const perApplication = z.object({ public: z.string(), private: z.string(), management: z.string() });

/** What a user needs to use a tenant that the emulator created. */
export const credentials = z.object({
  tenant_id: z.string(),
  keys: perApplication,
  /** Signs the callbacks of its reactors. */
  webhook_secret: z.string(),
});

/** Credentials without the keys that no longer work: those that were deleted or have expired. A start creates new ones. */
export const workingCredentials = z.object({ ...credentials.shape, keys: z.partial(perApplication) });

/** Where an emulator listens. */
export const address = z.object({
  base_url: z.string(),
  /** Where it listens, if that is not the base URL. */
  local_url: z.optional(z.string()),
  /** The certificate of an https server, as PEM. Commands that find the emulator trust it. */
  certificate: z.optional(z.string()),
  /** Has the control token in its fragment. */
  dashboard_url: z.string(),
  pid: z.int(),
  /** Absent: the default, `SVC`. */
  header_prefix: z.optional(z.string()),
});

/** `<data-dir>/state.json`, 0600: how commands find an emulator. The address is there while it runs. */
export const stateFile = z.object({
  ...z.partial(workingCredentials).shape,
  ...z.partial(address).shape,
  data_dir: z.string(),
  /** Options by flag with which the running emulator was started: `{ 'rate-limit-scale': '2' }`. */
  options: z.optional(z.record(z.string(), z.string())),
  /** Bearer token of the control endpoints. */
  control_token: z.string(),
  tenants: z.array(workingCredentials),
});

/** What `emulator start` reports when it accepts requests; cli.md. */
export const readyInfo = z.object({
  ...credentials.shape,
  ...address.shape,
  /** Absolute; null without a data directory. */
  data_dir: z.nullable(z.string()),
});

export type PerApplication = z.output<typeof perApplication>;
export type Credentials = z.output<typeof credentials>;
export type WorkingCredentials = z.output<typeof workingCredentials>;
export type Address = z.output<typeof address>;
/** What the state file has while the emulator runs. */
export type RunningAddress = Address & Pick<StateFile, 'options'>;
export type StateFile = z.output<typeof stateFile>;
export type ReadyInfo = z.output<typeof readyInfo>;

/** Validates the content of a state file. @returns undefined when it is not one */
export function parseStateFile(value: unknown): StateFile | undefined {
  // Compiling the schema pays off only for a schema that is used more than once.
  const result = z.safeParse(stateFile, value, { jitless: true });
  return result.success ? result.data : undefined;
}
