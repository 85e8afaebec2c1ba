// What programs import as `tokenctl/processor`.
export { CARDS } from './cards.js';
export { createProcessor, type Processor, startProcessor, type Transaction } from './processor.js';
export type { OutboundRequest, OutboundResponse, Stub } from './stub.js';
