import { type FilterImplOptions, Liquid, filters as standardFilters } from 'liquidjs';
import type { EvaluationBudget } from './budget.js';
import { assertInputLength, assertResultLength, toFilterFailure } from './filter-checks.js';
import { serviceFilters } from './filters/index.js';
import { MAX_MEMORY_UNITS } from './limits.js';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterThis = ThisParameterType<Handler>;

/** Key of the budget among Liquid's globals. It is a symbol, so that no expression can read it. */
export const BUDGET = Symbol('budget');

/** Other names of standard filters, which liquidjs lacks. */
const ALIASES: Readonly<Record<string, string>> = { escape: 'h' };

/** The shared Liquid engine. It cannot read files; dates are in UTC and English on every machine. */
export const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: Number.POSITIVE_INFINITY,
    renderLimit: Number.POSITIVE_INFINITY,
    memoryLimit: MAX_MEMORY_UNITS,
  });
  for (const [name, filter] of Object.entries(standardFilters)) {
    const handler = typeof filter === 'function' ? filter : filter.handler;
    const limited = withLimits(name, name.startsWith('date') ? withClock(handler) : handler);
    for (const each of [name, ALIASES[name] ?? name]) liquid.registerFilter(each, limited);
  }
  for (const { name, bind } of serviceFilters)
    liquid.registerFilter(
      name,
      withLimits(name, (value, ...args) => bind(args)(value)),
    );
  return liquid;
}

const budgetOf = ({ context }: FilterThis): EvaluationBudget =>
  (context.globals as { [BUDGET]: EvaluationBudget })[BUDGET];

/** Makes `now` and `today` the emulator's time. */
function withClock(handler: Handler): Handler {
  return function (this: FilterThis, value: unknown, ...args: unknown[]) {
    const { now } = budgetOf(this);
    return handler.call(this, value === 'now' || value === 'today' ? new Date(now) : value, ...args);
  } as Handler;
}

/** Checks the time before every filter, charges what the filter would build before it runs, and rewords failures. */
function withLimits(name: string, handler: Handler): Handler {
  return function* (this: FilterThis, value: unknown, ...args: unknown[]) {
    budgetOf(this).assertTimeLeft();
    assertInputLength(name, value, args);
    let result: unknown;
    try {
      result = yield handler.call(this, value, ...args);
    } catch (error) {
      throw toFilterFailure(name, error);
    }
    assertResultLength(result);
    return result;
  } as Handler;
}
