import path from 'path-browserify';

/** `require('path')`: paths of POSIX, as on the machines of the service. */
export const exported = Object.assign(path, { posix: path, toNamespacedPath: (value: string) => value });
