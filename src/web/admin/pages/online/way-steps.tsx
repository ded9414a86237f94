import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { SiteAddress } from '../../../../contract/admin/address.ts';
import { onlineSteps } from '../../../../texts/admin/online-steps.ts';
import { Address, Command } from './command.tsx';
import { commandsOf, siteName } from './commands.ts';
import { NameInput, Step, type StepProps, Steps } from './steps.tsx';

export type WayProps = { site: SiteAddress; typed: string; onType: (typed: string) => void };

/** A small server with a name. */
export function ServerSteps({ site, typed, onType }: WayProps) {
  const { server: texts } = onlineSteps;
  const { server: commands } = commandsOf(site, siteName(typed));
  return (
    <Steps>
      <Step {...texts.rent} />
      <Step {...texts.name}>
        <NameInput typed={typed} onType={onType} />
      </Step>
      {(['backup', 'send', 'enter', 'install', 'restore', 'start', 'register'] as const).map((step) => (
        <Step key={step} {...texts[step]}>
          <Command>{commands[step]}</Command>
        </Step>
      ))}
    </Steps>
  );
}

/** This machine, behind a router at home. */
export function HomeSteps({ site, typed, onType }: WayProps) {
  const { casa: texts } = onlineSteps;
  const { casa: commands } = commandsOf(site, siteName(typed));
  const host = site.hosts[0] ?? texts.router.unknownHost;
  return (
    <Steps>
      <Step {...texts.name}>
        <NameInput typed={typed} onType={onType} />
      </Step>
      <Step title={texts.router.title} text={texts.router.text}>
        <List>
          {texts.router.ports(host).map((port) => (
            <List.Item key={port}>{port}</List.Item>
          ))}
        </List>
        <Alert role="note" color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {texts.router.caution}
        </Alert>
      </Step>
      <StartAndStayAwake texts={texts} command={commands.start} />
    </Steps>
  );
}

type LastStepsProps = { texts: Record<'start' | 'awake', StepProps>; command: string };

/** The last steps of whoever serves from a machine of their own. */
function StartAndStayAwake({ texts, command }: LastStepsProps) {
  return (
    <>
      <Step {...texts.start}>
        <Command>{command}</Command>
      </Step>
      <Step {...texts.awake} />
    </>
  );
}

/** A tunnel that somebody has already. */
export function TunnelSteps({ site, typed, onType }: WayProps) {
  const { tunnel: texts } = onlineSteps;
  const { tunnel: commands } = commandsOf(site, siteName(typed));
  return (
    <Steps>
      <Step title={texts.open.title} text={texts.open.text}>
        <Command>{commands.open}</Command>
        <Text>{texts.open.others}</Text>
        <Address>{commands.local}</Address>
      </Step>
      <Step {...texts.name}>
        <NameInput typed={typed} onType={onType} />
      </Step>
      <StartAndStayAwake texts={texts} command={commands.start} />
    </Steps>
  );
}
