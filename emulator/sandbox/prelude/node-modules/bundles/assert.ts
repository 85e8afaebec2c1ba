export { default as exported } from 'assert/build/assert.js';
