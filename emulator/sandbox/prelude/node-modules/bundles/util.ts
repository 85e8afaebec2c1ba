export { default as exported } from 'util/util.js';
