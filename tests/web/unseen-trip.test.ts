import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { secondTripUnseenTexts } from '../../src/texts/admin/second-trip.ts';
import { queries } from '../../src/web/admin/api.ts';
import { UnseenNotice } from '../../src/web/admin/components/second-trip/unseen-notice.tsx';
import { NO_SECOND_TRIP, snapshotOf } from '../support/evenings.ts';

/** What points the way where there would be none, drawn without a browser. */

const drawn = (element: ReactElement) => renderToStaticMarkup(createElement(MemoryRouter, null, element));
const linksOf = (markup: string) => [...markup.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);

describe('what is written for a second trip that isn’t one yet', () => {
  const notice = (config: Parameters<typeof snapshotOf>[0]) => {
    const client = new QueryClient();
    client.setQueryData(queries.config.read.queryKey(), snapshotOf(config).config as never);
    const element = createElement(UnseenNotice, { path: '/admin/intermediate-phrases' });
    const themed = createElement(MantineProvider, null, element);
    return drawn(createElement(QueryClientProvider, { client }, themed));
  };

  test('isn’t seen: the page says so, and leads to where a trip is begun', () => {
    const markup = notice({ ...NO_SECOND_TRIP, frasi_secondo_viaggio: ['  '] });
    expect(markup).toContain(secondTripUnseenTexts.title);
    expect(markup).toContain(adminPageTexts['/admin/second-trip-phrases'].title);
    expect(linksOf(markup)).toEqual(['/admin/second-trip-phrases', '/admin/second-trip-details']);
  });

  test.each([
    { frasi_secondo_viaggio: ['Con la neve.'] },
    { immagine_destinazione_url_2: '/api/media/a.jpg' },
    { biglietti_url_2: '/api/media/b.pdf' },
  ])('with %o it is, and nothing is said', (something) => {
    expect(notice({ ...NO_SECOND_TRIP, ...something })).not.toContain(secondTripUnseenTexts.title);
  });
});
