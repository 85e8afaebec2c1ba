export const NOW = Date.parse('2031-02-03T04:05:06.007Z');
