/** One row of the table that `npm run bench` prints. */
export interface Measurement {
  id: string;
  what: string;
  goal: string;
  measured: string;
  /** Absent where the goal is shown elsewhere. */
  met?: boolean;
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function atLeast(id: string, what: string, goal: number, measured: number, more = ''): Measurement {
  return {
    id,
    what,
    goal: `≥ ${goal.toFixed(2)}×`,
    measured: `${measured.toFixed(2)}×${more}`,
    met: measured >= goal,
  };
}

export function atMost(
  id: string,
  what: string,
  goal: number,
  measured: number,
  unit = '×',
  more = '',
): Measurement {
  const show = (value: number) => `${unit === '×' ? value.toFixed(2) : Math.round(value)}${unit}`;
  return { id, what, goal: `≤ ${show(goal)}`, measured: show(measured) + more, met: measured <= goal };
}
