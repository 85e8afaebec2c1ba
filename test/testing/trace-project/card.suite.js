import { createServer } from 'node:http';
import { expect, test } from 'tokenctl/playwright';

const page = (url, key) => `<form>
  <label>Card number <input name="number"></label>
  <label>Security code <input name="cvc"></label>
  <label>Holder <input name="holder"></label>
  <button>Pay</button>
</form><output></output>
<script>
  const form = document.querySelector('form');
  form.number.oninput = () => { form.number.value = form.number.value.replace(/(\\d{4})(?=\\d)/g, '$1 ').trim(); };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { number, cvc, holder } = Object.fromEntries(new FormData(form));
    const data = { number: number.replaceAll(' ', ''), expiration_month: 12, expiration_year: 2031, cvc };
    const headers = { 'SVC-API-KEY': '${key}', 'Content-Type': 'application/json' };
    const send = (body) => fetch('${url}/tokens', { method: 'POST', headers, body: JSON.stringify(body) });
    await send({ type: 'card', data });
    await send({ type: 'token', data: { holder } });
    await fetch('/receipt?' + new URLSearchParams({ number, cvc, holder }));
    document.querySelector('output').textContent = 'Paid';
  };
</script>`;

test('a shopper pays', async ({ page: browser, emulator, tenant, client }, info) => {
  const shop = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(page(emulator.url, tenant.keys.private)),
  );
  await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
  await browser.goto(`http://127.0.0.1:${shop.address().port}`);
  await browser.getByLabel('Card number').fill('4242424242424242');
  await browser.getByLabel('Security code').fill('737');
  await browser.getByLabel('Holder').fill('Zoë "Z" Müller');
  await browser.getByRole('button', { name: 'Pay' }).click();
  await expect(browser.getByRole('status')).toHaveText('Paid');
  const { data } = await client.call('tokens.list');
  expect(data).toHaveLength(2);
  for (const { id } of data) await client.call('tokens.delete', { path: { id } });
  await info.attach('log', { body: 'charged 4242-4242-4242-4242', contentType: 'text/plain' });
  shop.close();
  shop.closeAllConnections();
});
