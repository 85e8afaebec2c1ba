import { createClient } from './http.js';

/** `require('https')`. */
export default createClient('https:');
