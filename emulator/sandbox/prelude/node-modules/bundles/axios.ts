import axios from 'axios';
import { hostAdapter } from '../axios-adapter.js';

// Set on the defaults, so that instances created with `axios.create` use it too.
axios.defaults.adapter = hostAdapter;

export const exported = axios;
