import { type FilterImplOptions, Liquid, filters as standardFilters } from 'liquidjs';
import { asFilterFailure, assertSize } from './apply-filter.js';
import { serviceFilters } from './filters/index.js';
import { MAX_EVALUATION_MS, MAX_MEMORY_UNITS } from './limits.js';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterThis = ThisParameterType<Handler>;

/** The one Liquid engine. It has no file system, no tags, and its dates are UTC on every machine. */
export const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    timezoneOffset: 0,
    parseLimit: Number.POSITIVE_INFINITY,
    renderLimit: MAX_EVALUATION_MS,
    memoryLimit: MAX_MEMORY_UNITS,
  });
  for (const [name, filter] of Object.entries(standardFilters)) {
    liquid.registerFilter(name, bounded(name, handlerOf(filter)));
  }
  for (const { name, run } of serviceFilters) {
    liquid.registerFilter(
      name,
      bounded(name, (value, ...args) => run(value, args)),
    );
  }
  return liquid;
}

function handlerOf(filter: FilterImplOptions): Handler {
  return typeof filter === 'function' ? filter : filter.handler;
}

/** Liquid checks its own deadline between templates only, and words failures with the value that caused them. */
function bounded(name: string, handler: Handler): Handler {
  return function* (this: FilterThis, value: unknown, ...args: unknown[]) {
    this.context.renderLimit.check(performance.now());
    let result: unknown;
    try {
      result = yield handler.call(this, value, ...args);
    } catch (error) {
      throw asFilterFailure(name, error);
    }
    assertSize(result);
    return result;
  } as Handler;
}
