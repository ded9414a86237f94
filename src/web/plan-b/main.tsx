import '../first-popstate.ts';
import '../ui/fonts.css';
import '../dresses/notte.css';
import '../dresses/alba.css';
import '../ui/tokens.css';
import '../ui/base.css';
import { createRoot } from 'react-dom/client';
import { isTooOld } from '../old-phone.ts';
import { PlanB } from './page.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
if (!isTooOld()) createRoot(root).render(<PlanB />);
