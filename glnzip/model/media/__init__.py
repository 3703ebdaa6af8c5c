"""Block models of bitmaps, images and audio."""
