// Changes lines of a folder, one at a time, and counts the changes that its tests notice: npx tsx test/robustness/mutation/run.ts
// FOLDER [--sample N] [--seed N]. Prints the changes that no test notices, and writes the score into scores.json beside this file.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCORES = fileURLToPath(new URL('scores.json', import.meta.url));

/** The tests that should notice changes of a folder, and whether they run what is built. */
const FOLDERS: Record<string, { tests: string[]; built?: true }> = {
  'emulator/store': {
    tests: [
      ...['commit-queue', 'disk', 'encryption', 'erasure', 'formats', 'snapshots', 'contract'],
      ...['files', 'journal', 'recovery', 'tables', 'store-equivalence'],
    ]
      .map((name) => `test/emulator/store/${name}`)
      .concat('test/robustness/crash/order', 'test/robustness/crash/boundaries'),
  },
  'emulator/expressions': { tests: ['test/emulator/expressions'] },
  'emulator/access': {
    tests: ['test/emulator/access', 'test/emulator/operations/applications'],
    built: true,
  },
  'emulator/services/idempotency': {
    tests: ['test/emulator/services/idempotency', 'test/emulator/shared-store'],
    built: true,
  },
  'src/cli/tenant-config/plan': {
    tests: ['test/cli/tenant-config/plan', 'test/cli/tenant-config/apply'],
    built: true,
  },
  'src/cli/tenant-config/apply': { tests: ['test/cli/tenant-config/apply'], built: true },
};

/** Each is tried at every place where it fits. */
const CHANGES: [RegExp, string][] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ \+ 1\b/g, ' + 2'],
  [/ \?\? .*?(?=[;,)])/g, ''],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/^ +(?:await )?[\w.#?]+\([^;{]*\);$/g, ''],
  [/^ +if \(.*\) (?:return|throw|continue)\b.*;$/g, ''],
  [/\bif \((?=.*\) \{$)/g, 'if (false && '],
];

interface Mutant {
  file: string;
  line: number;
  text: string;
  changed: string;
}

function mutantsOf(folder: string): Mutant[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.includes('postgres'))
    .flatMap((name) => {
      const file = join(folder, name);
      return readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          if (/^\s*(?:\/?\*|\/\/|import|export type|export \*|type |interface )/.test(text)) return [];
          return CHANGES.flatMap(([pattern, by]) =>
            [...text.matchAll(pattern)].map(({ 0: found, index: at }) => ({
              ...{ file, line: index + 1, text },
              changed: text.slice(0, at) + by + text.slice(at + found.length),
            })),
          );
        });
    });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const [folder = ''] = positionals;
const chosen = FOLDERS[folder];
if (!chosen) throw new Error(`The folder must be one of ${Object.keys(FOLDERS).join(', ')}.`);
/** Orders changes at random, the same for a seed. */
const rank = ({ file, line, changed }: Mutant): string =>
  createHash('sha1').update(`${values.seed} ${file} ${line} ${changed}`).digest('hex');
const mutants = mutantsOf(folder)
  .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  .slice(0, Number(values.sample));

const copy = mkdtempSync(join(tmpdir(), 'tokenctl-mutation-'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT });
git('worktree', 'add', '--detach', '--force', copy, 'HEAD');
process.once('exit', () => {
  git('worktree', 'remove', '--force', copy);
  rmSync(copy, { recursive: true, force: true });
});
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
execFileSync('cp', ['-a', join(ROOT, 'dist'), join(copy, 'dist')]);

/** @returns whether a test fails, or never ends */
function isNoticed({ file, line, changed }: Mutant): boolean {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  const lines = original.split('\n');
  lines[line - 1] = changed;
  writeFileSync(path, lines.join('\n'));
  // The tests build what is older than its sources.
  if (!chosen?.built) utimesSync(join(copy, 'dist/THIRD-PARTY-LICENSES.txt'), 4e9, 4e9);
  const args = [
    'vitest',
    'run',
    '--bail',
    '1',
    '--config',
    '.config/vitest.config.ts',
    ...(chosen?.tests ?? []),
  ];
  const { status } = spawnSync('npx', args, { cwd: copy, timeout: 600_000, killSignal: 'SIGKILL' });
  writeFileSync(path, original);
  return status !== 0;
}

const survivors = mutants.filter((mutant) => {
  const noticed = isNoticed(mutant);
  if (!noticed)
    console.log(`${mutant.file}:${mutant.line}\n- ${mutant.text.trim()}\n+ ${mutant.changed.trim()}`);
  return !noticed;
});
const score = Math.round((100 * (mutants.length - survivors.length)) / mutants.length);
const scores = JSON.parse(readFileSync(SCORES, 'utf8')) as Record<string, object>;
scores[folder] = { score, of: mutants.length, seed: Number(values.seed) };
writeFileSync(SCORES, `${JSON.stringify(scores, null, 2)}\n`);
console.log(`${folder}: ${score} % of ${mutants.length} changes are noticed`);
