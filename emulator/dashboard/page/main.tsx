import { render } from 'preact';
import { takeTokenFromAddress } from './api/session.js';
import { App } from './app.js';

takeTokenFromAddress();
const root = document.getElementById('app');
if (root) render(<App />, root);
