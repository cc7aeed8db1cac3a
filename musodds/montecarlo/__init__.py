"""montecarlo"""
