"""The compiled inner loops of counting; the functions that call them say what they count."""
