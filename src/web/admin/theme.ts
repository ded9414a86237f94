import {
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  DrawerHeader,
  type MantineColorsTuple,
  Modal,
  ModalHeader,
  NumberInput,
  PasswordInput,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { TOOLTIP } from '../../domain/limits.ts';
import { commonTexts } from '../../texts/admin/forms.ts';
import { signInTexts } from '../../texts/admin/sign-in.ts';

/** Rose and wine, the visitor's colours, from paper to night. */
const wine: MantineColorsTuple = [
  '#fcf0f4',
  '#f4dde5',
  '#e6b9c9',
  '#d892ab',
  '#cc7291',
  '#b94d74',
  '#9a345b',
  '#6d1f3f',
  '#5a1738',
  '#4a1230',
];
/** Dark mode of the administration: warm greys. */
const dark: MantineColorsTuple = [
  '#efe6ea',
  '#cfc3c9',
  '#b0a1a9',
  '#83727b',
  '#54464e',
  '#3f333a',
  '#30262c',
  '#1f171c',
  '#171015',
  '#100a0e',
];

/** A dialog's title looks like the page's. */
const TITLE = { fontFamily: 'var(--serif)', fontSize: '1.3rem', lineHeight: 1.25 } as const;

/** Name of a button without text, for screen readers and as a tooltip. */
const named = (name: string) => ({ 'aria-label': name, title: name });

export const theme = createTheme({
  primaryColor: 'wine',
  primaryShade: { light: 7, dark: 6 },
  colors: { wine, dark },
  autoContrast: true,
  fontFamily: 'var(--sans)',
  headings: { fontFamily: 'var(--serif)', fontWeight: '460' },
  defaultRadius: 'md',
  // Mantine's values, reduced on narrow screens: large text needs the space.
  spacing: {
    xs: 'min(0.625rem, 3.2vw)',
    sm: 'min(0.75rem, 3.8vw)',
    md: 'min(1rem, 5vw)',
    lg: 'min(1.25rem, 6vw)',
    xl: 'min(2rem, 8vw)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    PasswordInput: PasswordInput.extend({
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: named(signInTexts.showCharacters),
      },
    }),
    TextInput: TextInput.extend({ defaultProps: { attributes: { input: { dir: 'auto' } } } }),
    Textarea: Textarea.extend({ defaultProps: { attributes: { input: { dir: 'auto' } } } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: TOOLTIP.openMs } }),
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: named(commonTexts.close),
        centered: true,
        styles: { title: TITLE },
      },
    }),
    // Prevents a dialog's header from becoming a banner landmark.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: named(commonTexts.close) } }),
    NumberInput: NumberInput.extend({ defaultProps: { decimalSeparator: ',' } }),
  },
});

/** Text colours on a tinted background. Mantine's are too pale for AA contrast. */
const INK = {
  gray: ['#49414a', '#d9ced3'],
  red: ['#a3193c', '#ffb3bd'],
  pink: ['#9c1f5d', '#ffb6d5'],
  grape: ['#7d2a91', '#e5b5f0'],
  violet: ['#5b35b5', '#cdbcff'],
  indigo: ['#33469f', '#bac8ff'],
  blue: ['#1a5a96', '#a5d3ff'],
  cyan: ['#0b5c6b', '#8fe3f0'],
  teal: ['#086b52', '#8ce6c9'],
  green: ['#1d6b2e', '#a3e3ae'],
  lime: ['#44660a', '#cdea8f'],
  yellow: ['#7a4a00', '#ffe08a'],
  orange: ['#8a3b00', '#ffc9a0'],
} as const;

/** Overrides Mantine's colours that fail AA contrast or don't match the paper. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#2b1a24',
    '--mantine-color-dimmed': '#6a5560',
    '--mantine-color-placeholder': '#75646d',
    '--mantine-color-error': '#a3193c',
    '--mantine-color-default-border': '#d8cccb',
    '--mantine-color-default-hover': '#f4f0ef',
    '--mantine-color-disabled': '#ece6e5',
    '--mantine-color-gray-light': '#efe9e8',
    '--mantine-color-red-light': '#fbe6e8',
    '--mantine-color-yellow-light': '#f9efd9',
    '--mantine-color-orange-light': '#fbeadd',
    '--mantine-color-green-light': '#e5efe4',
    '--mantine-color-wine-light': '#f7eaef',
    '--drawn-gold': '#b8862f',
    '--admin-background': '#f7f5f4',
    '--admin-ring': '#2b1a24',
    ...inks(0),
  },
  dark: {
    '--mantine-color-placeholder': '#a2929b',
    '--mantine-color-error': '#ffb3bd',
    '--mantine-color-anchor': '#e6b9c9',
    '--mantine-color-wine-light': '#3b1028',
    '--mantine-color-wine-light-hover': '#4a1532',
    '--mantine-color-wine-light-color': '#f4dde5',
    '--mantine-color-wine-text': '#e6b9c9',
    '--mantine-color-default': '#30262c',
    '--mantine-color-gray-light': '#30262c',
    '--mantine-color-red-light': '#471722',
    '--mantine-color-yellow-light': '#3a2c17',
    '--mantine-color-orange-light': '#402716',
    '--mantine-color-blue-light': '#182f47',
    '--mantine-color-green-light': '#1d3328',
    '--drawn-gold': '#e3bf7f',
    '--admin-background': '#171015',
    '--admin-ring': '#f3dcae',
    ...inks(1),
  },
});

function inks(scheme: 0 | 1): Record<string, string> {
  return Object.fromEntries(
    Object.entries(INK).flatMap(([color, ink]) => [
      [`--mantine-color-${color}-light-color`, ink[scheme]],
      [`--mantine-color-${color}-outline`, ink[scheme]],
      [`--mantine-color-${color}-text`, ink[scheme]],
    ]),
  );
}
