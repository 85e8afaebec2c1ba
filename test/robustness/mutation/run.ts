// Changes lines of a folder, one at a time, and counts the changes that its tests notice: npx tsx test/robustness/mutation/run.ts
// FOLDER [--sample N] [--seed N]. Prints the changes that no test notices, and writes the score into scores.json beside this file.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCORES = fileURLToPath(new URL('scores.json', import.meta.url));

interface Run {
  /** What is given to vitest. */
  tests: string[];
  /** They run what is built. */
  built?: true;
}

const APPLY: Run = { tests: ['test/cli/tenant-config/apply'], built: true };

/** The tests that should notice changes of a folder or file. Those that notice most in the least time come first: one that is red is enough. */
const FOLDERS: Record<string, Run[]> = {
  'emulator/store': [
    {
      tests: [
        ...['commit-queue', 'disk', 'encryption', 'erasure', 'formats', 'snapshots', 'contract'],
        ...['files', 'journal', 'recovery', 'tables'],
      ].map((name) => `test/emulator/store/${name}`),
    },
    { tests: ['order', 'boundaries', 'store-equivalence'].map((name) => `test/robustness/crash/${name}`) },
  ],
  'emulator/expressions': [{ tests: ['test/emulator/expressions'] }],
  'emulator/access': [
    { tests: ['test/emulator/access'], built: true },
    { tests: ['test/emulator/operations/applications'], built: true },
  ],
  'emulator/services/idempotency': [
    { tests: ['order', 'response-cache'].map((name) => `test/emulator/services/idempotency/${name}`) },
    { tests: ['test/emulator/services/idempotency/idempotency'], built: true },
    // What it does on a shared database; the others there have nothing to do with it and take two minutes.
    {
      tests: ['test/emulator/shared-store', '--testNamePattern', 'idempotency key|stored response'],
      built: true,
    },
  ],
  'emulator/http/pipeline.ts': [
    { tests: ['test/emulator/http'], built: true },
    {
      tests: [
        'test/emulator/access/sessions',
        'test/emulator/services/rate-limiter',
        'test/emulator/access/keys',
      ],
      built: true,
    },
  ],
  'src/cli/tenant-config/plan': [
    { tests: ['plan', 'weakenings'].map((name) => `test/cli/tenant-config/plan/${name}.test`) },
    { tests: ['test/cli/tenant-config/plan'], built: true },
    APPLY,
  ],
  'src/cli/tenant-config/apply': [APPLY],
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

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

interface Mutant {
  file: string;
  line: number;
  text: string;
  changed: string;
}

function mutantsOf(folder: string): Mutant[] {
  return git('ls-files', folder)
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.includes('postgres'))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          if (/^\s*(?:\/?\*|\/\/|import|export type|export \*|type |interface )/.test(text)) return [];
          return CHANGES.flatMap(([pattern, by]) =>
            [...text.matchAll(pattern)].map(({ 0: found, index: at }) => ({
              ...{ file, line: index + 1, text },
              changed: text.slice(0, at) + by + text.slice(at + found.length),
            })),
          );
        }),
    );
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
git('worktree', 'add', '--detach', '--force', copy, 'HEAD');
process.once('exit', () => {
  git('worktree', 'remove', '--force', copy);
  rmSync(copy, { recursive: true, force: true });
});
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
execFileSync('cp', ['-a', join(ROOT, 'dist'), join(copy, 'dist')]);
/** What is built is as old as this file. */
const stamp = join(copy, 'dist/THIRD-PARTY-LICENSES.txt');
utimesSync(stamp, 0, 0);

/** @returns whether all is green, before the time is over */
function isGreen({ tests, built }: Run, seconds: number): boolean {
  const { mtime } = statSync(stamp);
  // The tests build what is older than its sources.
  if (!built) utimesSync(stamp, 4e9, 4e9);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1'];
  const args = [process.execPath, ...vitest, '--config', '.config/vitest.config.ts', ...tests];
  // It ends the workers as well, one of which may run in circles.
  const options = { cwd: copy, stdio: 'ignore' } as const;
  const { status } = spawnSync('timeout', ['--signal=KILL', String(seconds), ...args], options);
  if (!built) utimesSync(stamp, mtime, mtime);
  return status === 0;
}

/** The runs, each with the seconds that it may take: several times what it needs without a change. */
const runs = chosen.map((run) => {
  const start = performance.now();
  if (!isGreen(run, 1_200)) throw new Error(`Without a change, ${run.tests.join(' ')} is red.`);
  return { run, seconds: Math.ceil(60 + (4 * (performance.now() - start)) / 1_000) };
});

function isNoticed({ file, line, changed }: Mutant): boolean {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  const lines = original.split('\n');
  lines[line - 1] = changed;
  writeFileSync(path, lines.join('\n'));
  const noticed = runs.some(({ run, seconds }) => !isGreen(run, seconds));
  writeFileSync(path, original);
  return noticed;
}

const survivors = mutants.filter((mutant) => {
  const noticed = isNoticed(mutant);
  if (!noticed)
    console.log(`${mutant.file}:${mutant.line}\n- ${mutant.text.trim()}\n+ ${mutant.changed.trim()}`);
  return !noticed;
});
const score = Math.round((100 * (mutants.length - survivors.length)) / mutants.length);
const scores = JSON.parse(readFileSync(SCORES, 'utf8')) as Record<
  string,
  { score: number; of: number; seed: number }
>;
const before = scores[folder]?.score ?? score;
scores[folder] = { score, of: mutants.length, seed: Number(values.seed) };
writeFileSync(SCORES, `${JSON.stringify(scores, null, 2)}\n`);
console.log(
  `${folder}: ${score} % of ${mutants.length} changes are noticed${score < before ? `, ▼ from ${before} %` : ''}`,
);
