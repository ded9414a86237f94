import '../ui/fonts.css';
import '../dresses/notte.css';
import '../dresses/alba.css';
import './bosco.css';
import '../ui/tokens.css';
import '../ui/base.css';
import { createRoot } from 'react-dom/client';
import { DRESSES } from '../../domain/configuration.ts';
import { pageTexts } from '../../texts/access.ts';
import { nameToasts } from '../ui/toaster/toast.ts';
import { Gallery } from './gallery.tsx';
import { findScene } from './scenes.tsx';
import { pretendTheme } from './theme.ts';

nameToasts(pageTexts.toasts);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
const params = new URLSearchParams(location.search);
const scene = findScene(params.get('scene') ?? '');
const theme = params.get('theme');
document.documentElement.dataset.dress = params.get('dress') ?? '';
if (theme === 'light' || theme === 'dark') pretendTheme(theme);
if (window.parent !== window) focusWithoutScrolling();
createRoot(root).render(
  scene === undefined ? <Gallery dress={params.get('dress') ?? DRESSES[0]} /> : scene.draw(),
);

/** Prevents a focused element in a frame from scrolling the gallery. */
function focusWithoutScrolling(): void {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function focusInPlace(options) {
    focus.call(this, { ...options, preventScroll: true });
  };
}
