export * as exported from 'web-streams-polyfill';
