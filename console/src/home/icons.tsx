// The drawings of the header.
const drawn = {
  width: 18, height: 18, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 1.8, strokeLinecap: 'round', strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

export const BellIcon = () => <svg {...drawn}><path d="M6 9a6 6 0 0 1 12 0c0 6 2 7 2 8H4c0-1 2-2 2-8M10 20a2 2 0 0 0 4 0" /></svg>
export const SearchIcon = () => <svg {...drawn}><circle cx="11" cy="11" r="6" /><path d="m20 20-4.5-4.5" /></svg>
