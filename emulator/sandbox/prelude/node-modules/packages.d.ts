// Packages without types of their own, which behave as the modules of Node.js.
declare module 'util/util.js' {
  export * from 'node:util';
  export { default } from 'node:util';
}
declare module 'node-fetch';
