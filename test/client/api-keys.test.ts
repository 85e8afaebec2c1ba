import { describe, expect, it } from 'vitest';
import { selectKey } from '../../src/client/connection.js';

describe('selectKey', () => {
  const keys = { management: 'm', private: 'p', public: 'pub', any: 'a' };

  it('takes the key of the application type that may hold the permission', () => {
    expect(selectKey(keys, 'reactor:create')).toBe('m');
    expect(selectKey(keys, 'token:read')).toBe('p');
  });

  it('prefers the private key to the public one', () => {
    expect(selectKey(keys, 'token:create')).toBe('p');
    expect(selectKey({ public: 'pub' }, 'token:create')).toBe('pub');
  });

  it('falls back to the key for everything, else to none', () => {
    expect(selectKey({ any: 'a', private: 'p' }, 'reactor:create')).toBe('a');
    expect(selectKey({ private: 'p' }, 'reactor:create')).toBeUndefined();
  });

  it('takes any key when the operation needs no permission', () =>
    expect(selectKey({ public: 'pub' }, null)).toBe('pub'));
});
