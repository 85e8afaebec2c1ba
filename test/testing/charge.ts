// The reactor of the tests that fail.
interface Request {
  args: { amount: number };
}

export default async ({ args }: Request) => {
  console.log('charging');
  await fetch('https://api.processor.example/charges', { method: 'POST', body: JSON.stringify(args) });
  throw new Error('no response');
};
