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

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Formats a value; the unit follows it, e.g. ` ms` or `×`. */
function format(value: number, unit: string): string {
  const isExact = unit === '×' || Math.abs(value) < 10;
  return (isExact ? value.toFixed(2) : Math.round(value).toLocaleString('en')) + unit;
}

/** A row for a value. @param more printed after the value */
type Row = (
  id: string,
  what: string,
  goal: number,
  value: number,
  unit?: string,
  more?: string,
) => Measurement;

const rowOf =
  (lowerIsBetter: boolean): Row =>
  (id, what, goal, value, unit = '×', more = '') => ({
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
