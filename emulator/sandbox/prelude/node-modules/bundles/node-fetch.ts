export { default as exported } from 'node-fetch/lib/index.js';
