export default {
  test: {
    include: ['**/*.suite.js'],
    globalSetup: 'tokenctl/vitest/setup',
    pool: 'threads',
    maxWorkers: Number(process.env.WORKERS),
    sequence: { shuffle: true, concurrent: true },
    maxConcurrency: 10,
    testTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
  },
};
