/** A result that is available at once or later. A promise for each part of it would cost a list more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** Passes a result on as soon as it is available. */
export function andThen<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does work and handles its failure, whether it fails at once or later. */
export function recover<T>(
  work: () => MaybePromise<T>,
  onError: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(onError) : result;
  } catch (error) {
    return onError(error);
  }
}
