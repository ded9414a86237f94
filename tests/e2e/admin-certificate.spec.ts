import { freePort } from '../support/free-port.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';
import { expectAxeClean, expectFingerSized } from './support/accessible.ts';
import { adminPage, carry, expect, test } from './support/admin.ts';

/** What the dashboard says of the certificate that the product asks for by itself; the administrator comes by the machine's own door. */

test('a certificate that can’t be had is told on the dashboard, with what to do', { tag: '@long' }, async ({
  page,
}) => {
  const [httpPort, httpsPort, nobody] = await Promise.all([freePort(), freePort(), freePort()]);
  const server = await startServer({
    env: {
      HTTPS_DOMAIN: 'sera.example',
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      ACME_DIRECTORY: `https://127.0.0.1:${nobody}/directory`,
    },
  });
  try {
    await carry(page, server, await signUp(server));
    await adminPage(page, server, '/admin/dashboard');
    const notice = page.getByRole('alert').filter({ hasText: 'L’indirizzo https non è ancora pronto' });
    await expect(notice).toContainText('Chi rilascia i certificati non risponde.');
    await expect(notice).toContainText('Riprovo da solo ');
    await notice.getByText('Il messaggio originale').click();
    await expect(notice).toContainText(`no answer from https://127.0.0.1:${nobody}/directory`);
    await expectAxeClean(page);
    await expectFingerSized(page);
  } finally {
    await page.close();
    await server.stop();
  }
});
