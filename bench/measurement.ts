/** One row of the table that `npm run bench` prints. */
export interface Measurement {
  /** The goal's name in the table of goals, e.g. `H1`. */
  id: string;
  what: string;
  goal: string;
  measured: string;
  met: boolean;
  /** The measured median in the unit of the goal, which the history keeps. */
  value: number;
  /** Whether a smaller value is better. */
  lowerIsBetter: boolean;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const ms = (value: number): string => `${value.toFixed(2)} ms`;

/** Returns the milliseconds that work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Times tasks in turn, so that other load of the machine hits all of them alike.
 * @returns for each task, the milliseconds of each round
 */
export async function timeInTurn(
  rounds: number,
  ...tasks: ((round: number) => unknown)[]
): Promise<number[][]> {
  const times = tasks.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, task] of tasks.entries()) times[index]?.push(await timed(() => task(round)));
  return times;
}

/** Formats a value; the unit follows it, e.g. ` ms` or `×`. */
function format(value: number, unit: string): string {
  const isExact = unit === '×' || Math.abs(value) < 10;
  return (isExact ? value.toFixed(2) : Math.round(value).toLocaleString('en')) + unit;
}

/** Makes the function for rows with a value. Its last parameter is printed after the value. */
const rowOf =
  (lowerIsBetter: boolean) =>
  (id: string, what: string, goal: number, value: number, unit = '×', more = ''): Measurement => ({
    id,
    what,
    goal: `${lowerIsBetter ? '≤' : '≥'} ${format(goal, unit)}`,
    measured: format(value, unit) + more,
    met: lowerIsBetter ? value <= goal : value >= goal,
    value,
    lowerIsBetter,
  });

/** A value that must be at least the goal. */
export const atLeast = rowOf(false);

/** A value that must be at most the goal. */
export const atMost = rowOf(true);
