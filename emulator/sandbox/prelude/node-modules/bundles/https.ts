import http from 'node:http';

/** `require('https')`. The URL decides between http and https; without one, the protocol is https. */
const withProtocol =
  (call: typeof http.request) =>
  (...args: Parameters<typeof http.request>) => {
    const [first, second, third] = args as unknown as [unknown, unknown, unknown];
    const isUrl = typeof first === 'string' || first instanceof URL;
    const options = { protocol: 'https:', ...((isUrl ? second : first) as object | undefined) };
    return isUrl
      ? typeof second === 'function'
        ? Reflect.apply(call, undefined, [first, second])
        : Reflect.apply(call, undefined, [first, second, third])
      : Reflect.apply(call, undefined, [options, second]);
  };

export const exported = {
  Agent: http.Agent,
  globalAgent: http.globalAgent,
  request: withProtocol(http.request),
  get: withProtocol(http.get),
};
