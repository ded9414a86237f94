import { AxeBuilder } from '@axe-core/playwright';
import { account, endSessionsAtSave, expect, laptop, test } from './support/admin.ts';
import { elsewhere, expectToast, failing, failures, phone, save, stored } from './support/content.ts';
import { add, addBox, box, expectOrder, handle, middle, rows, undo } from './support/phrases.ts';

/** The phrases: lists that save themselves, in an order that mouse, finger and keyboard change. */

test.describe('on a laptop', () => {
  test.use(laptop);

  test('phrases are added, edited, removed and put back, and save themselves', async ({
    page,
    adminSite,
  }) => {
    test.slow();
    await adminSite.open('/admin/frasi');
    await expect(page.getByText('Ancora nessuna frase')).toBeVisible();
    await expect(phone(page).getByText('Senza frasi questo momento viene saltato.')).toBeVisible();
    await add(page, '   ');
    await expectToast(page, 'Inserisci una frase');
    await add(page, '  Uno  ');
    await expectToast(page, 'Frase aggiunta e salvata');
    await expect(addBox(page)).toHaveValue('');
    await expect(phone(page).getByText('Uno', { exact: true }).first()).toBeAttached();
    // One after the other, without waiting: no save races the other's version.
    for (const text of ['Due', 'Tre', 'Quattro']) await add(page, text);
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre', 'Quattro']);
    await expect(page.getByRole('tab', { name: /Frasi Pre-Video/ })).toContainText('4');
    await expect(phone(page).getByText('Quattro', { exact: true }).first()).toBeAttached();
    await page.getByRole('button', { name: 'Rivedi' }).click();
    await expect(phone(page).getByText('Uno', { exact: true }).first()).toBeAttached();

    await box(page, 2).fill('Due, meglio');
    await expect(phone(page).getByText('Due, meglio', { exact: true }).first()).toBeAttached();
    await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
    expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([]);
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Tre', 'Quattro']);
    await expect(box(page, 2)).toBeFocused();

    await page.getByRole('button', { name: 'Elimina: Tre' }).click();
    await expectToast(page, 'Frase rimossa');
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Quattro']);
    await undo(page);
    await expectToast(page, 'Di nuovo com’era');
    await expectOrder(page, adminSite, ['Uno', 'Due, meglio', 'Tre', 'Quattro']);

    await page.getByRole('tab', { name: /Frasi Post-Video/ }).click();
    await add(page, 'Dopo');
    await expect.poll(async () => (await stored(adminSite)).frasi).toEqual(['Dopo']);
    expect((await stored(adminSite)).frasi_pre_video).toHaveLength(4);
  });

  test('the duration is 3 to 15 seconds, and 6 when it can’t be read', async ({ page, adminSite }) => {
    await adminSite.open('/admin/frasi');
    const seconds = page.getByLabel(/Durata di ogni frase/);
    const set = async (written: string, kept: number) => {
      await seconds.fill(written);
      await seconds.blur();
      await expect(seconds).toHaveValue(String(kept));
      await expect.poll(async () => (await stored(adminSite)).durata_frase_secondi).toBe(kept);
    };
    await set('8', 8);
    await expectToast(page, 'Durata salvata');
    await set('99', 15);
    await set('1', 3);
    await set('', 6);
    await expect(page.getByText(/consigliati 5-8/)).toBeVisible();
    await seconds.press('ArrowUp');
    await expect.poll(async () => (await stored(adminSite)).durata_frase_secondi).toBe(7);
  });

  test('the order changes by mouse, by keyboard and by the arrows', async ({ page, adminSite }) => {
    await elsewhere(adminSite, { frasi_pre_video: ['Uno', 'Due', 'Tre'] });
    await adminSite.open('/admin/frasi');
    // Near its edge the window would scroll along, as far as there is time for.
    await handle(page, 'Due').evaluate((row) => row.scrollIntoView({ block: 'center' }));
    const from = await middle(handle(page, 'Uno'));
    const to = await middle(handle(page, 'Tre'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++)
      await page.mouse.move(from.x, from.y + ((to.y + 12 - from.y) * step) / 10);
    await page.mouse.up();
    await expectToast(page, 'Ordine salvato');
    await expectOrder(page, adminSite, ['Due', 'Tre', 'Uno']);

    await handle(page, 'Uno').focus();
    await page.keyboard.press('Space');
    const spoken = page.locator('[aria-live=assertive]');
    await expect(spoken.filter({ hasText: 'Frase sollevata: posizione 3 di 3.' })).toBeAttached();
    await page.keyboard.press('ArrowUp');
    await expect(spoken.filter({ hasText: 'Ora in posizione 2 di 3.' })).toBeAttached();
    await page.keyboard.press('Space');
    await expect(spoken.filter({ hasText: 'Frase posata: dalla posizione 3 alla 2.' })).toBeAttached();
    await expectOrder(page, adminSite, ['Due', 'Uno', 'Tre']);

    await page.getByRole('button', { name: 'Sposta giù: Due' }).click();
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre']);
    await expect(page.getByRole('button', { name: 'Sposta giù: Due' })).toBeFocused();
    const first = page.getByRole('button', { name: 'Sposta su: Uno' });
    await expect(first).toHaveAttribute('aria-disabled', 'true');
    await first.press('Enter');
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre']);
  });

  test('what couldn’t be saved is shown so, and waits', { tag: '@long' }, async ({
    page,
    adminSite,
    quiet,
  }) => {
    quiet.allow(/status of 502|ERR_INTERNET_DISCONNECTED/);
    await elsewhere(adminSite, { frasi_pre_video: ['Prima'] });
    await adminSite.open('/admin/frasi');
    const savable = await failing(page, 'PATCH', failures.proxy);
    await add(page, 'Nuova');
    await expectToast(page, 'Errore nel salvataggio automatico');
    await expect(rows(page).nth(1).getByText('Non salvata')).toBeVisible();
    await expect(rows(page).nth(0).getByText('Non salvata')).toBeHidden();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Ripristina il testo non salvato' }).click();
    await expect(rows(page)).toHaveCount(2);
    await expect(page.getByRole('main').getByText('Errore nel salvataggio automatico')).toBeVisible();
    await savable();
    await page.getByRole('button', { name: 'Riprova' }).click();
    await expectOrder(page, adminSite, ['Prima', 'Nuova']);
    await expect(page.getByText('Salvato', { exact: true })).toBeVisible();

    await page.context().setOffline(true);
    await add(page, 'Senza rete');
    await expectToast(page, 'Connessione assente. Controlla la rete e riprova.');
    await page.context().setOffline(false);
    // Back on the network it needs nobody.
    await expectOrder(page, adminSite, ['Prima', 'Nuova', 'Senza rete']);
  });

  test('two windows and a lost session: every phrase of both is there', { tag: '@long' }, async ({
    page,
    adminSite,
  }) => {
    await elsewhere(adminSite, { frasi_pre_video: ['Uno', 'Due'] });
    await adminSite.open('/admin/frasi');
    await expect(rows(page)).toHaveCount(2);
    await elsewhere(adminSite, { frasi_pre_video: ['Due', 'Loro'] });
    await add(page, 'Mia');
    await expectOrder(page, adminSite, ['Due', 'Loro', 'Mia']);

    await endSessionsAtSave(page, adminSite.server, () => add(page, 'Dopo la sessione'));
    const dialog = page.getByRole('dialog', { name: 'Sessione scaduta' });
    await dialog.getByLabel('Password').fill(account.password);
    await dialog.getByRole('button', { name: 'Accedi' }).click();
    // The other window's session is over, too: the database itself is asked.
    const row = adminSite.server.deps.db.selectFrom('admin_config').select('frasi_pre_video');
    await expect
      .poll(async () => JSON.parse((await row.executeTakeFirstOrThrow()).frasi_pre_video))
      .toEqual(['Due', 'Loro', 'Mia', 'Dopo la sessione']);
  });

  test('the phrases page that can’t be read says so; what isn’t added or confirmed yet survives a reload', {
    tag: '@long',
  }, async ({ page, adminSite, quiet }) => {
    test.slow();
    quiet.allow(/status of 400|ERR_FAILED/);
    const readable = await failing(page, 'GET', failures.refused(400, 'BAD_INPUT', 'Dati non validi.'));
    await adminSite.open('/admin/frasi');
    await expectToast(page, 'Dati non validi.');
    await readable();
    await page.getByRole('main').getByRole('button', { name: 'Riprova' }).click();
    page.on('dialog', (dialog) => void dialog.accept());
    await addBox(page).fill('A metà');
    await page.reload();
    await expect(addBox(page)).toHaveValue('A metà');
    // Leaving asks what is to become of it.
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    const leaving = page.getByRole('dialog', { name: 'Modifiche non salvate' });
    await leaving.getByRole('button', { name: 'Salva ed esci' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect((await stored(adminSite)).frasi_pre_video).toEqual(['A metà']);

    // What can’t be saved when the page goes is offered back.
    await page.goBack();
    const savable = await failing(page, 'PATCH', 'offline');
    await box(page, 1).fill('A metà, quasi');
    await expect(
      page.getByRole('alert').getByText('Connessione assente. Controlla la rete e riprova.'),
    ).toBeVisible();
    await page.reload();
    await savable();
    await page.getByRole('button', { name: 'Ripristina il testo non salvato' }).click();
    await expectOrder(page, adminSite, ['A metà, quasi']);
    // Another window takes away what is being written here: it stays, as a phrase of its own.
    await box(page, 1).fill('A metà, ancora');
    await elsewhere(adminSite, { frasi_pre_video: ['Loro'] });
    await expect.poll(async () => (await stored(adminSite)).frasi_pre_video).toHaveLength(2);
    expect(new Set((await stored(adminSite)).frasi_pre_video)).toEqual(new Set(['Loro', 'A metà, ancora']));
  });

  test('several lines are pasted as one phrase or as many, and taken back together', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const paste = async (text: string) => {
      await page.evaluate((words) => navigator.clipboard.writeText(words), text);
      await page.keyboard.press('Control+V');
    };
    await adminSite.open('/admin/frasi');
    await addBox(page).focus();
    await paste('Uno\ne mezzo\n\nDue\n\n\nTre');
    const asked = page.getByRole('group', { name: 'Hai incollato 4 righe' });
    await expect(asked.getByRole('button', { name: '3 frasi, una per paragrafo' })).toBeFocused();
    expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([]);
    await page.keyboard.press('Enter');
    await expectToast(page, '3 frasi aggiunte e salvate');
    await expectOrder(page, adminSite, ['Uno\ne mezzo', 'Due', 'Tre']);
    await undo(page);
    await expect.poll(async () => (await stored(adminSite)).frasi_pre_video).toEqual([]);

    await addBox(page).focus();
    await paste('Uno\nDue');
    await page.getByRole('button', { name: '2 frasi, una per riga' }).click();
    await expectOrder(page, adminSite, ['Uno', 'Due']);
    await addBox(page).focus();
    await paste('Tre\ne quattro');
    await page.getByRole('button', { name: 'Una frase sola' }).click();
    await expectOrder(page, adminSite, ['Uno', 'Due', 'Tre\ne quattro']);

    // The same in an empty box of a list whose phrases may be blank.
    await adminSite.open('/admin/intermediate-phrases');
    await page.getByRole('button', { name: 'Aggiungi Frase' }).click();
    await expect(box(page, 1)).toBeFocused();
    await paste('A\n\nB');
    await page.getByRole('button', { name: '2 frasi, una per paragrafo' }).click();
    await expect.poll(async () => (await stored(adminSite)).frasi_tra_viaggi).toEqual(['A', 'B']);

    // Who leaves without an answer is asked, and nothing is lost.
    await addBox(page).focus();
    await paste('C\nD');
    await expect(page.getByRole('group', { name: 'Hai incollato 2 righe' })).toBeVisible();
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    const leaving = page.getByRole('dialog', { name: 'Modifiche non salvate' });
    await leaving.getByRole('button', { name: 'Salva ed esci' }).click();
    await expect(page).toHaveURL(/dashboard$/);
    expect((await stored(adminSite)).frasi_tra_viaggi).toEqual(['A', 'B', 'C', 'D']);
  });

  test('a phrase that takes longer to be read says how long it stays, unless the list keeps the chosen seconds', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await elsewhere(adminSite, { frasi_pre_video: ['Breve', 'x'.repeat(240)], frasi_secondo_viaggio: ['y'] });
    await adminSite.open('/admin/frasi');
    await expect(page.getByText(/^resta/)).toHaveText(['resta 18 s']);
    await box(page, 1).fill('z'.repeat(120));
    await expect(page.getByText(/^resta/)).toHaveText(['resta 10 s', 'resta 18 s']);
    await page.getByLabel('Usa sempre i miei secondi').press('Space');
    await expect(page.getByText(/^resta/)).toHaveCount(0);
    await expect
      .poll(async () => (await stored(adminSite)).frasi_secondi_esatti)
      .toEqual(['frasi_pre_video']);
    await adminSite.open('/admin/second-trip-phrases');
    await page.getByLabel('Usa sempre i miei secondi').press('Space');
    await expect
      .poll(async () => (await stored(adminSite)).frasi_secondi_esatti)
      .toEqual(['frasi_pre_video', 'frasi_secondo_viaggio']);
    await page.getByLabel('Usa sempre i miei secondi').press('Space');
    await expect
      .poll(async () => (await stored(adminSite)).frasi_secondi_esatti)
      .toEqual(['frasi_pre_video']);
  });

  test('a phrase longer than the phone is seen to its end, by keyboard and by mouse', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/frasi');
    await add(page, 'Una lunga frase che non finisce mai. '.repeat(54).trim());
    const glass = page.getByRole('group', { name: 'Prima del video: schermo da scorrere' });
    const seen = phone(page).locator('section');
    const place = () => seen.evaluate((scene) => scene.scrollTop / (scene.scrollHeight - scene.clientHeight));
    await expect(page.getByText(/^Non sta tutto sullo schermo/)).toBeVisible();
    await glass.press('End');
    await expect.poll(place).toBeGreaterThan(0.99);
    await glass.hover();
    await page.mouse.wheel(0, -9_000);
    await expect.poll(place).toBe(0);
    await page.mouse.wheel(0, 9_000);
    await expect.poll(place).toBeGreaterThan(0.99);
    const axe = new AxeBuilder({ page }).include('figure').exclude('iframe');
    expect((await axe.analyze()).violations).toEqual([]);
    // It is there to be looked at, still.
    await expect(page.locator('iframe[data-ready=true]')).toHaveJSProperty('inert', true);
  });

  const lists: {
    path: string;
    field: 'frasi_tra_viaggi' | 'frasi_secondo_viaggio' | 'frasi_finali_secondo_viaggio';
    toast: [title: string, description?: string];
  }[] = [
    {
      path: '/admin/intermediate-phrases',
      field: 'frasi_tra_viaggi',
      toast: ['Frasi salvate con successo!'],
    },
    {
      path: '/admin/second-trip-phrases',
      field: 'frasi_secondo_viaggio',
      toast: ['Successo', 'Frasi del secondo viaggio salvate con successo'],
    },
    {
      path: '/admin/second-trip-final-phrases',
      field: 'frasi_finali_secondo_viaggio',
      toast: ['Frasi finali salvate con successo'],
    },
  ];

  test('the other lists, too: boxes, blank ones as well, a removal that can be taken back', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    test.slow();
    for (const { path, field, toast } of lists) {
      await test.step(path, async () => {
        await adminSite.open(path);
        await page.getByRole('button', { name: 'Aggiungi Frase' }).click();
        await expect(page.getByLabel('Frase 1', { exact: true })).toBeFocused();
        await page.keyboard.type('Prima');
        await expect(phone(page).getByText('Prima', { exact: true }).first()).toBeAttached();
        await page.getByRole('button', { name: 'Aggiungi Frase' }).click();
        await page.getByRole('button', { name: 'Aggiungi Frase' }).click();
        await page.keyboard.type('Terza');
        await expect(phone(page).getByText('Terza', { exact: true }).first()).toBeAttached();
        await page.getByRole('button', { name: 'Elimina: Prima' }).click();
        await expectToast(page, 'Frase rimossa');
        await undo(page);
        await save(page);
        await expectToast(page, ...toast);
        expect((await stored(adminSite))[field]).toEqual(['Prima', '', 'Terza']);
        await page.getByRole('button', { name: 'Elimina: Frase 2' }).click();
        await page.getByRole('button', { name: 'Sposta su: Terza' }).click();
        await expect.poll(async () => (await stored(adminSite))[field]).toEqual(['Terza', 'Prima']);
        await undo(page);
        await expect.poll(async () => (await stored(adminSite))[field]).toEqual(['Prima', 'Terza']);
      });
    }
  });
});
