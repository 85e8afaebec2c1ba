import { detokenize } from './detokenize.js';
import { tokenize } from './tokenize.js';

export const tokenizeHandlers = { tokenize, detokenize };
