import { type FilterImplOptions, Liquid, filters as standardFilters } from 'liquidjs';
import { assertResultLength, toFilterFailure } from './filter-failures.js';
import { serviceFilters } from './filters/index.js';
import { MAX_EVALUATION_MS, MAX_MEMORY_UNITS } from './limits.js';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterThis = ThisParameterType<Handler>;

/** Where the filters find the time that dates see: no name, so that no expression reads it. */
export const NOW = Symbol('now');

/** The one Liquid engine. It has no file system, no tags, and its dates are in UTC and English on every machine. */
export const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: Number.POSITIVE_INFINITY,
    renderLimit: MAX_EVALUATION_MS,
    memoryLimit: MAX_MEMORY_UNITS,
  });
  for (const [name, filter] of Object.entries(standardFilters)) {
    const handler = toHandler(filter);
    liquid.registerFilter(name, withLimits(name, name.startsWith('date') ? withClock(handler) : handler));
  }
  for (const { name, bind } of serviceFilters) {
    liquid.registerFilter(
      name,
      withLimits(name, (value, ...args) => bind(args)(value)),
    );
  }
  return liquid;
}

function toHandler(filter: FilterImplOptions): Handler {
  return typeof filter === 'function' ? filter : filter.handler;
}

/** For Liquid, `now` and `today` are the machine's time; for us the emulator's. */
function withClock(handler: Handler): Handler {
  return function (this: FilterThis, value: unknown, ...args: unknown[]) {
    const { [NOW]: now } = this.context.globals as { [NOW]: number };
    return handler.call(this, value === 'now' || value === 'today' ? new Date(now) : value, ...args);
  } as Handler;
}

/** Liquid checks its own deadline between templates only, and words failures with the value that caused them. */
function withLimits(name: string, handler: Handler): Handler {
  return function* (this: FilterThis, value: unknown, ...args: unknown[]) {
    this.context.renderLimit.check(performance.now());
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
