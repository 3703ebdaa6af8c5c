"""How blocks are looked at before they are coded."""
