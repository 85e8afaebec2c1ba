export * as exported from 'string_decoder/lib/string_decoder.js';
