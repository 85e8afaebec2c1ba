// Without types of its own; it behaves as the module of Node.js.
declare module 'readable-stream/lib/stream.js' {
  export { default } from 'node:stream';
}
