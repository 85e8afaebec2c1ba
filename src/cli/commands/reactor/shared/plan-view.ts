import { printable, type Style } from '../../../output/style.js';
import type { PlannedReactor } from '../../../reactors/plan/plan.js';
import { paintDiff } from './report.js';

const PAINT: Record<PlannedReactor['action'], keyof Style> = {
  create: 'green',
  update: 'yellow',
  unchanged: 'dim',
  delete: 'red',
};
const ACTION_WIDTH = 'unchanged'.length;

/** One line per reactor and its diff. */
export function renderPlan(reactors: readonly PlannedReactor[], style: Style): string {
  return reactors
    .map(({ action, name, diff }) => {
      const line = `${style[PAINT[action]](action.padEnd(ACTION_WIDTH))}  ${printable(name)}`;
      return diff ? `${line}\n${paintDiff(diff, style)}` : line;
    })
    .join('\n');
}

/** What is printed as JSON: the plan without the code, which the diff shows. */
export function shownPlan(reactors: readonly PlannedReactor[]): object[] {
  return reactors.map(({ code: _code, minified: _minified, ...shown }) => shown);
}
