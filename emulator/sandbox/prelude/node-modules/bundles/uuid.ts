export * as exported from 'uuid';
