import { type OperationId, operationOf } from '../../contract/operations.js';
import { RESOURCES, type Resource } from '../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { projectFlags } from '../flags/project-flags.js';
import { CONFIRM_FLAG } from './application-key.js';

const tenantConfigModule = () => import('../commands/tenant-config.js');
const lockModule = () => import('../commands/lock.js');
const pullModule = () => import('../commands/pull.js');

const ROWS = Object.values(RESOURCES);

const READ_OPERATIONS: readonly OperationId[] = [
  ...ROWS.map((row) => operationOf(row, 'list')),
  'tenants.get',
];

/** What makes an object, changes it completely, and deletes it. */
const writesOf = (row: Resource): OperationId[] =>
  (['create', row.verbs.includes('replace') ? 'replace' : 'update', 'delete'] as const).map((verb) =>
    operationOf(row, verb),
  );

const WRITE_OPERATIONS: readonly OperationId[] = [
  ...READ_OPERATIONS,
  ...ROWS.flatMap(writesOf),
  'tenants.update',
];

const EXIT_CODE = { description: 'exit 3 if there is a difference' } as const;

const CONFIG_FLAGS = projectFlags('allowCommand', 'allowSecrets', 'concurrency');

const SELECTION_FLAGS = projectFlags('only', 'exclude');

const OBJECTS = {
  variadic: true,
  optional: true,
  description: 'kind, or kind/name, as the manifest declares it; everything by default',
} as const;

const BRANCH_FLAGS = {
  branch: { value: 'NAME', description: 'branch; that which is checked out by default' },
  remote: { value: 'NAME|URL', description: 'remote repository, origin by default' },
} as const;

export const commands: readonly CommandRow[] = [
  defineCommand('plan', from(tenantConfigModule, 'plan'), {
    details:
      'Compares the applications, reactors, proxies, webhooks and tenant settings that tokenctl.yaml declares with the service. What it does not declare is not compared. Changes that weaken security are flagged. With --out, the plan is saved for `apply`; it contains no configuration values. In GitHub Actions, the step gets the outputs `changed` and `weakens` (true or false) and `plan` (the file of --out).',
    operations: READ_OPERATIONS,
    arguments: { object: OBJECTS },
    flags: {
      ...CONFIG_FLAGS,
      ...SELECTION_FLAGS,
      ...projectFlags('prune', 'retarget', 'summary'),
      out: { value: 'FILE', suggest: 'file', description: 'plan file to write' },
      exitCode: EXIT_CODE,
      permissions: { description: 'print the permissions that applying it needs, by type of key' },
    },
    examples: {
      'Show what would change.': 'tokenctl plan',
      'Show it of some reactors.': "tokenctl plan --only 'reactor/charge-*' --exclude reactor/charge-test",
      'Save a plan of one environment for review.': 'tokenctl plan --environment production --out plan.json',
    },
  }),
  defineCommand('apply', from(tenantConfigModule, 'apply'), {
    details: [
      'Without a plan file, it shows the plan and asks. With one, it makes exactly the planned changes, or none if the service has changed since. It can be repeated after an interruption: what is already done is skipped.',
      'Applications are applied before the reactors and proxies that refer to them; deletions come last. A failure does not stop what does not depend on it. The key of a new application is not shown: `application key create` makes one.',
    ].join('\n\n'),
    operations: WRITE_OPERATIONS,
    arguments: {
      object: {
        ...OBJECTS,
        suggest: 'file',
        description:
          'plan file, or kind or kind/name of what is planned anew, everything by default; a file of such a name is a plan',
      },
    },
    flags: {
      ...CONFIG_FLAGS,
      ...SELECTION_FLAGS,
      ...projectFlags('config', 'prune', 'retarget', 'partial', 'allowWeaken', 'summary'),
      ...CONFIRM_FLAG,
    },
    examples: {
      'Show the plan, ask, and apply it.': 'tokenctl apply',
      'Apply a reviewed plan.': 'tokenctl apply plan.json',
      'Apply one reactor.': 'tokenctl apply reactor/charge',
      'Apply in a pipeline and delete what is no longer declared.':
        'tokenctl apply --environment production --prune --yes',
    },
  }),
  defineCommand('diff', from(tenantConfigModule, 'diff'), {
    details:
      'Prints a unified diff of code, and the names but not the values of changed configuration. What is valid is compared even if something else is not. What --unmanaged lists is no difference for --exit-code.',
    operations: READ_OPERATIONS,
    arguments: { object: OBJECTS },
    flags: {
      ...CONFIG_FLAGS,
      ...SELECTION_FLAGS,
      ...projectFlags('prune', 'summary'),
      unmanaged: { description: 'list what the tenant has and the manifest does not declare, too' },
      exitCode: EXIT_CODE,
    },
    examples: {
      'Find what was made outside of the manifest.': 'tokenctl diff --unmanaged',
      'Fail a pipeline if someone changed the tenant by hand.': 'tokenctl diff --exit-code',
    },
  }),
  defineCommand('adopt', from(tenantConfigModule, 'adopt'), {
    details:
      'Finds what the manifest declares by name, and records it with its current version, as an apply would have done. Use it if the lock file was lost, or for objects that exist already. `--prune` deletes an adopted object only if the service says that the key in use created it.',
    operations: [...READ_OPERATIONS, 'applications.key'],
    arguments: { object: OBJECTS },
    flags: { ...CONFIG_FLAGS, ...SELECTION_FLAGS, ...projectFlags('retarget') },
    examples: {
      'Rebuild a lost lock file.': 'tokenctl adopt',
      'Record one reactor of an environment.': 'tokenctl adopt reactor/charge --environment production',
    },
  }),
  defineCommand('manifest show', from(tenantConfigModule, 'showManifest'), {
    summary: 'Show what the manifest declares for an environment',
    details:
      'Prints the manifest with defaults, variables, included files and the values of --environment, without the objects that are not declared there. References in configuration values are not resolved, so that no secret is shown; those in addresses are.',
    flags: {},
    examples: {
      'Read what production gets.': 'tokenctl manifest show --environment production',
    },
  }),
  defineCommand('lock pull', from(lockModule, 'pullLock'), {
    summary: 'Take over what earlier applies recorded in a branch',
    details:
      'Fetches the branch, and checks out the lock file and the versions of the environment from it, if it has them.',
    flags: BRANCH_FLAGS,
    examples: { 'Before a plan in a pipeline.': 'tokenctl lock pull --environment production --branch main' },
  }),
  defineCommand('lock push', from(lockModule, 'pushLock'), {
    summary: 'Commit what applies recorded to a branch, and push it',
    details:
      'Puts one commit with the lock file and the versions of the environment on the branch of the remote. What is checked out here stays as it is. If someone else pushes at the same time, it tries again.',
    flags: BRANCH_FLAGS,
    examples: { 'After an apply in a pipeline.': 'tokenctl lock push --environment production' },
  }),
  defineCommand('pull', from(pullModule, 'run'), {
    details: [
      'Writes tokenctl.yaml with the applications, reactors, proxies, webhooks and settings of the tenant, and their code into reactors/ and proxies/. A diff directly afterwards is empty.',
      'Configuration values are not written, but references to environment variables. With --secrets, each value is written to a file in that directory, which only you can read and git ignores.',
      'In a project that has a manifest, it adds what that does not declare. Objects that are named (reactor/charge) are taken over: what the files say of them becomes what the service has, in the chosen environment.',
    ].join('\n\n'),
    operations: READ_OPERATIONS,
    arguments: {
      target: {
        variadic: true,
        optional: true,
        description:
          'project directory, the current one by default; and objects as kind/name, unless a directory has that name (./kind/name is never an object)',
      },
    },
    flags: {
      secrets: {
        value: 'DIR',
        suggest: 'file',
        description: 'write configuration values into files of this directory',
      },
      literal: {
        value: 'NAME',
        list: true,
        description: 'write the values of this configuration name as they are: it is no secret',
      },
      allowSecrets: CONFIG_FLAGS.allowSecrets,
      force: { description: 'overwrite existing files' },
    },
    examples: {
      'Adopt an existing tenant.': 'tokenctl pull tenant',
      'Take over what was changed by hand.': 'tokenctl pull reactor/charge --environment production',
      'Keep configuration values in files, to compare at once.':
        'tokenctl pull local-copy --secrets local-copy/secrets',
    },
  }),
];
