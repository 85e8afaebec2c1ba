import { loadBundle } from './bundles.js';

loadBundle('start.cjs');
