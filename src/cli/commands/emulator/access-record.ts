import { resolve } from 'node:path';
import type { Permission, Transform } from '../../../contract/permissions.js';
import type { Context } from '../../command.js';
import type { RecordedAccess } from '../../emulator/launch.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError } from '../../lib/errors.js';
import type { ManifestContent } from '../../manifest/schema.js';
import {
  accessByName,
  applyAccess,
  type CommandOptions,
  runCommand,
  withTemporaryEmulator,
} from './temporary-emulator.js';

interface RecordOptions extends CommandOptions {
  out?: string | undefined;
  verify?: boolean | undefined;
}

const STDERR = 2;
const FILE_MODE = 0o666;

/**
 * Runs a command with a temporary emulator and writes the permissions or rules that it needed, by application. Nothing is
 * written when the command fails, whose exit code is passed on.
 */
export async function run(options: RecordOptions, context: Context): Promise<number> {
  const { command, out, verify = false } = options;
  const { code, recorded } = await withTemporaryEmulator(
    options,
    { purpose: 'tokenctl emulator access record' },
    context,
    async ({ emulator, env }) => {
      const recording = emulator.recordAccess();
      // Standard output is for the manifest, unless that goes to a file.
      const code = await runCommand(command, env, context, out === undefined ? { stdout: STDERR } : {});
      return { code, recorded: recording() };
    },
  );
  if (code !== 0) {
    context.output.warn(`The command failed, so the access that it needs was not written.`);
    return code;
  }
  if (recorded.length === 0)
    throw new CliError('failed', 'The command sent no request to the emulator that needs a permission.', {
      hint: 'The emulator is the target of TOKENCTL_BASE_URL, with the keys TOKENCTL_MANAGEMENT_KEY, TOKENCTL_PRIVATE_KEY and TOKENCTL_PUBLIC_KEY.',
    });
  const needed = verify ? await verifyAccess(recorded, options, context) : recorded;
  await write(await formatManifest(needed), out, context);
  return 0;
}

async function formatManifest(applications: readonly RecordedAccess[]): Promise<string> {
  const { default: yaml } = await import('yaml');
  const content: ManifestContent = { applications: applications.map((application) => ({ ...application })) };
  return `# Written by \`tokenctl emulator access record\`: what the recorded command needed, and no more.\n${yaml.stringify(content, { lineWidth: 0 })}`;
}

async function write(text: string, out: string | undefined, { output, settings }: Context): Promise<void> {
  if (out === undefined) {
    output.text(text);
    return;
  }
  await writeFileAtomically(resolve(settings.cwd, out), text, { mode: FILE_MODE });
  output.notice(`Wrote ${out}.`);
}

type Rule = NonNullable<RecordedAccess['rules']>[number];

interface Reduction {
  what: string;
  access: RecordedAccess[];
}

/**
 * Runs the command again with the recorded access, then once without each permission, and once with less data shown by each
 * rule. Takes out what it passes without.
 * @throws {CliError} when it fails with the recorded access
 */
async function verifyAccess(
  recorded: readonly RecordedAccess[],
  options: CommandOptions,
  context: Context,
): Promise<RecordedAccess[]> {
  const { output } = context;
  let access = [...recorded];
  const first = await runWith(access, options, context);
  if (!first.passes)
    throw new CliError('failed', 'The command fails with the recorded access.', {
      hint: 'It may depend on what the response to an update shows, or on tokens of other containers; record without --verify and add rules.',
    });
  for (const { name } of recorded)
    if (!first.applied.has(name))
      output.notice(`${name}: not verified, because the command creates this application itself`);
  let position = 0;
  const next = () => reductionsOf(access, first.applied)[position];
  for (let reduction = next(); reduction; reduction = next()) {
    const { passes } = await runWith(reduction.access, options, context);
    output.notice(`${reduction.what}: ${passes ? 'not needed, taken out' : 'needed'}`);
    if (passes) access = reduction.access;
    else position += 1;
  }
  return access;
}

/** Runs the command with this access. @returns the applications that got theirs, and whether the command passed */
async function runWith(
  access: readonly RecordedAccess[],
  options: CommandOptions,
  context: Context,
): Promise<{ applied: ReadonlySet<string>; passes: boolean }> {
  const byName = accessByName(access);
  const own = { purpose: 'tokenctl emulator access record', tenantAccess: byName };
  const result = await withTemporaryEmulator(options, own, context, async ({ emulator, env }) => {
    const applied = await applyAccess(byName, emulator, context);
    const code = await runCommand(options.command, env, context, { stdout: 'ignore', stderr: 'ignore' });
    return { applied, passes: code === 0 };
  });
  context.signal.throwIfAborted();
  return result;
}

/** Lists the reductions of a recording: each takes out one permission, or shows less in one rule. */
function reductionsOf(access: readonly RecordedAccess[], applied: ReadonlySet<string>): Reduction[] {
  return access.flatMap((application, index) => {
    if (!applied.has(application.name)) return [];
    const put = (changed: RecordedAccess) => access.with(index, changed);
    const { name, permissions = [], rules = [] } = application;
    return [
      ...permissions.map((permission) => ({
        what: `${permission} of ${name}`,
        access: put({ ...application, permissions: permissions.filter((one) => one !== permission) }),
      })),
      ...rules.flatMap((rule, at) => [
        ...rule.permissions.map((permission) => ({
          what: `${permission} on ${rule.container} of ${name}`,
          access: put({ ...application, rules: withoutPermission(rules, at, permission) }),
        })),
        ...lowerTransforms(rule).map((transform) => ({
          what: `${rule.transform} instead of ${transform} on ${rule.container} of ${name}`,
          access: put({ ...application, rules: rules.with(at, { ...rule, transform }) }),
        })),
      ]),
    ];
  });
}

function withoutPermission(rules: readonly Rule[], at: number, permission: Permission): Rule[] {
  return rules.flatMap((rule, index) => {
    if (index !== at) return [rule];
    const permissions = rule.permissions.filter((one) => one !== permission);
    return permissions.length === 0 ? [] : [{ ...rule, permissions }];
  });
}

/** Transforms that show less, the least first, of a rule whose transform matters. */
function lowerTransforms({ transform, permissions }: Rule): Transform[] {
  if (!permissions.some((one) => one === 'token:read' || one === 'token:search')) return [];
  if (transform === 'reveal') return ['redact', 'mask'];
  return transform === 'mask' ? ['redact'] : [];
}
