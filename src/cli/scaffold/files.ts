import { readFile } from 'node:fs/promises';
import { packageFile } from '../../contract/files.js';
import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';

interface ScaffoldFile {
  /** Relative to the project, with forward slashes. Its template is below `project/`. */
  path: string;
  /** A file that a project may already have is left as it is, even with --force. */
  keepsExisting?: boolean;
  /** Part of what the new manifest declares; a project that has a manifest does not get it. */
  isExample?: boolean;
}

/** The types of the reactors. The template has those of the example; a manifest's are those that `tokenctl reactor types` writes. */
export const REACTORS_FILE = 'types/reactors.d.ts';

const FILES: readonly ScaffoldFile[] = [
  { path: 'tokenctl.yaml', isExample: true },
  { path: 'reactors/charge.ts', isExample: true },
  { path: 'reactors/charge.test.json', isExample: true },
  { path: 'types/reactor.d.ts' },
  { path: REACTORS_FILE },
  { path: 'tsconfig.json' },
  { path: 'package.json', keepsExisting: true },
  { path: 'AGENTS.md', keepsExisting: true },
  { path: '.vscode/launch.json', keepsExisting: true },
  { path: '.gitignore' },
];

/** docs/ci.md explains them; a test runs each of their steps in a fresh clone. */
const PIPELINES = { github: '.github/workflows/tenant.yml', gitlab: '.gitlab-ci.yml' };

export interface ScaffoldOptions {
  /** What package.json names to install tokenctl. */
  tokenctl: string;
  ci: keyof typeof PIPELINES;
  /** The names of the environments, in the order in which they are applied; if there are none, those of the example. */
  environments: readonly string[];
}

/** Returns the files that `tokenctl init` writes. */
export async function readScaffold(options: ScaffoldOptions) {
  const values = placeholders(options);
  const files = [...FILES, { path: PIPELINES[options.ci] }];
  return Promise.all(
    files.map(async (file) => {
      const template = await readFile(packageFile(`#scaffold/${file.path}.template`), 'utf8');
      return { ...file, text: template.replaceAll(/__([A-Z_]+)__/g, (_, name) => values[name] ?? '') };
    }),
  );
}

/** What replaces `__TOKENCTL__` and so on in the templates. */
function placeholders({ tokenctl, ...options }: ScaffoldOptions): Record<string, string> {
  const environments = options.environments.length > 0 ? options.environments : ['staging', 'production'];
  return {
    TOKENCTL: JSON.stringify(tokenctl),
    TOKEN_TYPES: TOKEN_TYPE_NAMES.map((name) => `| '${name}'`).join('\n  '),
    ENVIRONMENTS: environments.map(quoteName).join(', '),
    APPLY_JOBS: environments.map((name, index) => applyJob(name, environments[index - 1])).join('\n\n'),
  };
}

/** What YAML reads as a string without quotes; 2026, null and yes are others. */
const PLAIN_NAME = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z_][\w-]*$/i;

/** Quotes the name of an environment for YAML where that is needed. */
const quoteName = (name: string): string => (PLAIN_NAME.test(name) ? name : JSON.stringify(name));

/** A job of GitLab, which runs after that of the previous environment. */
const applyJob = (name: string, previous: string | undefined): string => `${JSON.stringify(`apply ${name}`)}:
  extends: .apply${previous === undefined ? '' : `\n  needs: [${JSON.stringify(`apply ${previous}`)}, plan]`}
  variables:
    ENVIRONMENT: ${quoteName(name)}`;
