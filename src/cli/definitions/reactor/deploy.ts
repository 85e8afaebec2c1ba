import { type CommandRow, defineCommand, from } from '../../command.js';
import { FILES, projectFlags } from '../../flags/project-flags.js';

const deployModule = () => import('../../commands/reactor/deploy.js');
const versionsModule = () => import('../../commands/reactor/versions.js');

const DEPLOY_OPERATIONS = ['reactors.list', 'reactors.create', 'reactors.replace', 'reactors.get'] as const;

const FROM_FILES = projectFlags(
  'config',
  'envFile',
  'external',
  'minify',
  'moduleAlias',
  'allowSecrets',
  'allowCommand',
  'concurrency',
);

export const commands: readonly CommandRow[] = [
  defineCommand('reactor deploy', from(deployModule, 'deployReactors'), {
    summary: 'Create or update reactors from files',
    details: [
      'Finds each reactor by name, creates or updates it unless it is already up to date, and verifies the result. TypeScript and npm imports are bundled. Without files, it deploys the reactors of the manifest, tokenctl.json or tokenctl.yaml. A failure at the service does not stop the other reactors.',
      'Before it uploads anything, it checks syntax, export, length and modules, and scans for card numbers and keys. Configuration and application are unchanged unless the manifest or a flag sets them.',
      'If a reactor is not valid, nothing is deployed unless --partial is given. If all fail for the same reason, the exit code is that of the reason, otherwise 1.',
    ].join('\n\n'),
    operations: DEPLOY_OPERATIONS,
    arguments: FILES,
    flags: {
      ...FROM_FILES,
      ...projectFlags('retarget'),
      dryRun: { description: 'show the changes as a unified diff without deploying' },
      ...projectFlags('allowWeaken'),
      partial: { description: 'deploy the valid reactors even if others are not valid' },
      prune: {
        description:
          'delete reactors that this manifest created but no longer names (recorded in the lock file)',
      },
      watch: { description: 'deploy again when a file changes' },
      smoke: {
        value: 'JSON|@FILE',
        description:
          'invoke the reactor with these arguments after the deploy; restore the previous code if that fails',
      },
      expect: { value: 'JSON|@FILE', description: 'complete response that --smoke must return' },
    },
    examples: {
      'Deploy all reactors of the manifest.': 'tokenctl reactor deploy',
      'Deploy one file.': 'tokenctl reactor deploy reactors/charge.ts --config CURRENCY=USD',
      'Show what would change.': 'tokenctl reactor deploy --dry-run',
      'Test the deployed reactor and roll back if the test fails.': `tokenctl reactor deploy reactors/charge.ts --smoke '{"amount":1999}'`,
    },
  }),
  defineCommand('reactor diff', from(deployModule, 'diffReactors'), {
    hidden: true,
    summary: 'Show what a deploy would change',
    details: 'Prints a unified diff of the code, and the names but not the values of changed configuration.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: { ...FROM_FILES, exitCode: { description: 'exit 3 if there is a difference' } },
    examples: {
      'Fail a pipeline if someone changed a reactor by hand.': 'tokenctl reactor diff --exit-code',
    },
  }),
  defineCommand('reactor plan', from(deployModule, 'planReactors'), {
    hidden: true,
    summary: 'Save what a deploy would change to a plan file',
    details:
      'The plan contains the code and a digest of the current state of the service, so that `reactor apply` makes exactly these changes or none. It does not contain configuration values; pass the same --config and --env-file to `apply`. Without --out, the plan is only shown.',
    operations: ['reactors.list'],
    arguments: FILES,
    flags: {
      ...FROM_FILES,
      ...projectFlags('retarget'),
      out: { value: 'FILE', suggest: 'file', description: 'plan file to write' },
      permissions: { description: 'print the permissions that applying it needs, by type of key' },
      prune: { description: 'include deleting reactors that the manifest created but no longer names' },
    },
    examples: { 'Save a plan for review.': 'tokenctl reactor plan --out plan.json' },
  }),
  defineCommand('reactor apply', from(deployModule, 'applyReactorPlan'), {
    hidden: true,
    summary: 'Apply a plan file',
    details:
      'Fails without changes if a planned reactor has changed on the service since the plan was made. It can be applied again after an interruption.',
    operations: [...DEPLOY_OPERATIONS, 'reactors.delete'],
    arguments: { plan: { suggest: 'file', description: 'file written by `reactor plan --out`' } },
    flags: { ...projectFlags('config', 'envFile', 'allowCommand', 'allowWeaken', 'concurrency', 'retarget') },
    examples: { 'Apply a reviewed plan.': 'tokenctl reactor apply plan.json' },
  }),
  defineCommand('reactor history', from(versionsModule, 'showHistory'), {
    summary: 'List the versions of a reactor that were deployed from the manifest',
    details:
      'The last ten versions are in tokenctl.lock.json, for each service: when each was deployed, from which commit, and its hash, which is the same for the same code, application and names of configuration.',
    operations: ['applications.key'],
    arguments: { reactor: { suggest: 'reactor', description: 'reactor id or exact name' } },
    examples: { 'See what was deployed.': 'tokenctl reactor history charge' },
  }),
  defineCommand('reactor rollback', from(versionsModule, 'rollBack'), {
    summary: 'Restore an earlier version of a reactor',
    details:
      'Restores code, application and configuration of a version that was deployed from the manifest. Configuration values are not recorded: references are resolved again, other values are those of the manifest or, failing that, of the service.',
    operations: ['applications.key', 'reactors.list', 'reactors.replace', 'reactors.get'],
    arguments: { reactor: { suggest: 'reactor', description: 'reactor id or exact name' } },
    flags: {
      to: {
        value: 'N',
        integer: true,
        description: 'version to restore; by default the last that differs from the current one',
      },
      ...projectFlags('config', 'envFile', 'allowCommand'),
    },
    examples: {
      'Undo the last deployment.': 'tokenctl reactor rollback charge',
      'Restore a certain version.': 'tokenctl reactor rollback charge --to 1',
    },
  }),
];
