// Packages without types of their own, which behave as the modules of Node.js.
declare module 'util/util.js' {
  export * from 'node:util';
  export { default } from 'node:util';
}
declare module 'node-fetch';

// Files of undici, whose types describe the package as a whole.
declare module 'undici/lib/web/webidl/index.js' {
  export const webidl: { converters: Record<string, (value: unknown) => unknown> };
}
declare module 'undici/lib/web/fetch/body.js' {
  export function extractBody(source: Blob): [body: object, type: string | null];
}
declare module 'undici/lib/web/fetch/formdata.js' {
  export { FormData } from 'undici';
}
declare module 'undici/lib/web/fetch/headers.js' {
  export { Headers } from 'undici';
  export class HeadersList {
    append(name: string, value: string, isLowerCase: boolean): void;
  }
}
declare module 'undici/lib/web/fetch/request.js' {
  export { Request } from 'undici';
}
declare module 'undici/lib/web/fetch/response.js' {
  import type { Response } from 'undici';

  export { Response } from 'undici';
  export function makeResponse(init: object): object;
  export function fromInnerResponse(inner: object, guard: 'immutable'): Response;
}
