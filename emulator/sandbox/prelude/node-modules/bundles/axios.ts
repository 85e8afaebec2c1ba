import axios from 'axios';
import { hostAdapter } from './axios-adapter.js';

// Set on the defaults, so that every instance created from them sends through the host too.
axios.defaults.adapter = hostAdapter;

export const exported = axios;
