"""Betting solved: public trees and payoffs apart from the algorithms and their kernels."""
