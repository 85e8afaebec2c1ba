import { createClient } from './http.js';

export default createClient('https:');
