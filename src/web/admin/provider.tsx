import './nonce.ts';
import './trusted-html.ts';
import '@mantine/core/styles.css';
import './workshop.css';
import { FloatingDelayGroup } from '@floating-ui/react';
import { MantineProvider, Tooltip } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Outlet } from 'react-router';
import { TOOLTIP } from '../../domain/limits.ts';
import { shellTexts } from '../../texts/admin/shell.ts';
import { useGround } from '../ground.ts';
import { styleNonce } from './nonce.ts';
import { createQueryClient } from './query-client.ts';
import { SignInAgain } from './shell/sign-in-again.tsx';
import { cssVariables, theme } from './theme.ts';

const MODAL_LABELS = { confirm: shellTexts.confirm, cancel: shellTexts.cancel };

/** What every page of the workshop stands on: its look, its cache, its dialogs. */
export function Workshop() {
  useGround('workshop');
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Hints>
          <ModalsProvider labels={MODAL_LABELS}>
            <Outlet />
            <SignInAgain />
          </ModalsProvider>
        </Hints>
      </MantineProvider>
    </QueryClientProvider>
  );
}

/**
 * Hints wait for each other: for a while after one has closed the next opens at once. The library's own group knows only how late a hint
 * closes; the group it is made of knows this too, and the hints ask the nearest.
 */
function Hints({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Group openDelay={TOOLTIP.openMs}>
      <FloatingDelayGroup delay={{ open: TOOLTIP.openMs, close: 0 }} timeoutMs={TOOLTIP.skipMs}>
        {children}
      </FloatingDelayGroup>
    </Tooltip.Group>
  );
}
