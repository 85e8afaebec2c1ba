/** A command of a scenario and its expected result. */
export interface Step {
  line: number;
  command: string;
  terminal: boolean;
  stdout: string[];
  stderr: string[];
  exitCode: number;
  /** What to wait for and what to type in a terminal, in order. */
  dialog: { wait?: string; type?: string }[];
}

export interface Scenario {
  name: string;
  /** Whether the scenario starts its own emulator instead of using the shared one. */
  own: boolean;
  /** Whether only `npm run test:long` plays it. */
  full: boolean;
  /** The variable of a second run. */
  again?: { name: string; value: string };
  files: Record<string, string>;
  steps: Step[];
}

const KEYS: Record<string, string> = { r: '\r', t: '\t', e: '\u001b' };

function keys(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|([rte]))/g, (_match, hex: string | undefined, name: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (KEYS[name] ?? ''),
  );
}

/** Parses a scenario; README.md describes the format. */
export function parseScenario(text: string): Scenario {
  const scenario: Scenario = { name: '', own: false, full: false, files: {}, steps: [] };
  let file: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const step = scenario.steps.at(-1);
    if (file !== undefined && line.startsWith('  ')) {
      scenario.files[file] += `${line.slice(2)}\n`;
      continue;
    }
    file = undefined;
    if (line.startsWith('# ')) scenario.name ||= line.slice(2);
    else if (line === '%own') scenario.own = true;
    else if (line === '%full') scenario.full = true;
    else if (line.startsWith('%again ')) {
      const [, name = '', value = ''] = /^%again (\w+)=(.*)$/.exec(line) ?? [];
      scenario.again = { name, value };
    } else if (line.startsWith('@ ')) {
      file = line.slice(2).trim();
      scenario.files[file] = '';
    } else if (/^\$\$? /.test(line)) scenario.steps.push(newStep(line, index + 1));
    else if (!step || line === '') continue;
    else if (line.startsWith('! ')) step.stderr.push(line.slice(2));
    else if (line.startsWith('? ')) step.exitCode = Number(line.slice(2));
    else if (step.terminal && line.startsWith('> ')) step.dialog.push({ wait: line.slice(2) });
    else if (step.terminal && line.startsWith('< ')) step.dialog.push({ type: keys(line.slice(2)) });
    else step.stdout.push(line);
  }
  return scenario;
}

function newStep(line: string, number: number): Step {
  const terminal = line.startsWith('$$ ');
  return {
    line: number,
    command: line.replace(/^\$\$? /, ''),
    terminal,
    stdout: [],
    stderr: [],
    exitCode: 0,
    dialog: [],
  };
}
