// Packages without types of their own, which behave as the modules of Node.js.
declare module 'assert/build/assert.js' {
  export { default } from 'node:assert';
}
declare module 'readable-stream/lib/stream.js' {
  export { default } from 'node:stream';
}
declare module 'string_decoder/lib/string_decoder.js' {
  export * from 'node:string_decoder';
}
declare module 'util/util.js' {
  export { default } from 'node:util';
}
declare module 'node-fetch/lib/index.js' {
  const fetch: unknown;
  export default fetch;
}
